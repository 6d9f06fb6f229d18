// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a user's kernel on the hidden cases, with each warp size that it is for.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "run/backend.hpp"
#include "run/runner.hpp"

namespace warpz {

class hidden_judge {
 public:
  /// One device for each warp size. None is that of another run, whose outcome stays valid.
  explicit hidden_judge(std::vector<device_request> devices);

  /// The smallest failure of the first case that fails; nothing where all pass. Of two warp sizes, the second one is
  /// tried at the same time in a process of its own. `request`, `seconds` and `on_case` are as for smallest_failure.
  std::optional<puzzle_outcome> failure(const puzzle& task, const run_request& request, double seconds,
                                        const std::function<void()>& on_case);

  /// How many cases there are.
  std::vector<hidden_inputs> cases_of(const puzzle& task) const;

 private:
  struct used_device {
    explicit used_device(const device_request& wanted) : device(choose_device(wanted)), runs(device) {}
    chosen_device device;
    runner runs;
  };

  std::vector<device_request> wanted_;
  std::vector<std::unique_ptr<used_device>> devices_;  ///< null before they are needed
};

}  // namespace warpz

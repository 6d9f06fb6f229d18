// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a user's kernel on the hidden cases, with each warp size that it is for.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "run/backend.hpp"
#include "run/puzzle_run.hpp"

namespace warpz {

class hidden_judge {
 public:
  /// One device for each warp size.
  explicit hidden_judge(std::vector<device_request> devices);

  /// The smallest failure of the first case that fails; nothing where all pass. A second warp size is tried at the same
  /// time in another process. `request`, `seconds` and `on_case` are as for smallest_failure().
  std::optional<puzzle_outcome> failure(const puzzle& task, const run_request& request, double seconds,
                                        const std::function<void()>& on_case);

 private:
  std::vector<device_request> wanted_;
  std::vector<std::optional<chosen_device>> devices_;  ///< brought up when they are needed
};

}  // namespace warpz

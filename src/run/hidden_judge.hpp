// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges a user's kernel on the hidden cases, with each warp size that it is for.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "run/backend.hpp"
#include "run/puzzle_run.hpp"

namespace warpz {

class hidden_judge {
 public:
  /// One device for each warp size. Where all are the CPU machine, the work can be divided with further processes.
  hidden_judge(std::vector<device_request> devices, bool is_divided);
  ~hidden_judge();
  hidden_judge(hidden_judge&&) noexcept;

  /// The further processes begin, if there are to be any. `request` is as for failure(), but that it may seek undefined
  /// values where that one does not.
  void begin(const puzzle& task, const run_request& request);

  /// There will be no call of failure().
  void stop();

  /// The smallest failure of the first case that fails; nothing where all pass. `request` says how the kernel is run,
  /// `seconds` is the time limit of each case: the first that exceeds it gets four times as long. `on_case` is called
  /// for each case that has begun, those of the other processes a little later.
  std::optional<puzzle_outcome> failure(const puzzle& task, const run_request& request, double seconds,
                                        const std::function<void()>& on_case);

  /// How many cases there are.
  std::vector<hidden_inputs> cases_of(const puzzle& task) const;

 private:
  class shared_cases;

  std::optional<puzzle_outcome> failure_alone(const puzzle& task, const run_request& request, double seconds,
                                              const std::function<void()>& on_case);
  /// A failure on the device of this number.
  puzzle_outcome described(std::size_t number, puzzle_outcome found);
  const chosen_device& device(std::size_t number);

  std::vector<device_request> wanted_;
  std::vector<std::optional<chosen_device>> devices_;  ///< brought up when they are needed
  bool is_divided_;
  std::unique_ptr<shared_cases> begun_;
};

}  // namespace warpz

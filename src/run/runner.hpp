// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one puzzle on one device: lays out the data, has the kernel run, compares.
//
// Knows puzzles and kernel processes, and nothing of options, formats or exit codes' meaning to the user.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "findings/finding_filter.hpp"
#include "findings/outcome.hpp"
#include "process/kernel_process.hpp"
#include "puzzle/puzzle.hpp"
#include "run/backend.hpp"
#include "run/experiments/undefined_values.hpp"

namespace warpz {

/// The data to run on, and how long a kernel may take.
struct run_request {
  std::optional<std::size_t> size;  ///< without it: the documents' size, or that of the given data
  input_source input;
  std::uint64_t seed = 0;                           ///< of random input
  std::shared_ptr<const std::vector<float>> given;  ///< input read from a file
  std::optional<float> pivot;
  std::optional<matrix_shape> shape;
  variant which = variant::warp;
  std::string kernel;         ///< runs instead of the puzzle's own of that variant; empty: that one
  unsigned launch_bound = 0;  ///< the most threads of a block that it says it can be launched with; 0: nothing is said
  warpz_settings settings = warpz_default_settings;
  std::vector<std::uint64_t> schedules;  ///< seeds of orders and of other blocks in which it is run, too
  finding_choice findings;
  process_limits limits;
  std::function<void()> told_rerun;  ///< kernel_run has it
};

class runner {
 public:
  /// Keeps a reference to the device.
  explicit runner(chosen_device& on) : kernel_process_(*on.kernels), number_(on.number), device_(on.device) {}

  /// The outcome's spans stay valid until the next run. Throws where the device fails or memory is short. The given
  /// numbers are let go once they are copied, so the last run can be handed the caller's own share of them.
  puzzle_outcome run(const puzzle& what, run_request how);

 private:
  bool add_findings(puzzle_outcome& to, std::span<const located_finding> all, const puzzle& what,
                    const kernel_run& kernel, const run_request& how, const kernel_result& ran);

  kernel_process& kernel_process_;
  const std::uint32_t number_;
  const warpz_device& device_;
  std::vector<float> expected_;
  std::vector<float> joined_;  ///< several inputs, one behind the other, for the reference
};

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares runs on two backends, bit for bit.
#pragma once

#include <functional>

#include "run/puzzle_run.hpp"

namespace warpz {

/// One side of the comparison.
struct backend_run {
  const chosen_device& on;
  run_request request;
};

/// Adds a warning to `second` that names the first element whose bits differ; of two NaNs any are the same. Returns
/// whether there is one. Neither output may be empty, as that of a stopped kernel is.
bool compare_backends(const puzzle_outcome& first, puzzle_outcome& second, suppressions* accepted);

/// Runs the hidden cases on both, until the outputs of one differ: adds the warning to `second`, with the options that
/// repeat the case. `on_case` is called before each.
void compare_backends_on_hidden_cases(const puzzle& task, const backend_run& one, const backend_run& other,
                                      puzzle_outcome& second, const std::function<void()>& on_case);

}  // namespace warpz

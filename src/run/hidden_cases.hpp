// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs that a user's kernel is judged on beside the documented one: what is right on 32 numbers in full warps may
// still be wrong where a warp or a block ends early, with other lanes in a warp, on negative numbers, in another order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/puzzle_run.hpp"

namespace warpz {

/// One of them, in terms of the options that repeat it.
struct hidden_case {
  std::size_t size = 0;  ///< elements; 0: as many as are documented, or as the shape has
  input_source input = {};
  std::uint64_t seed = 0;  ///< of random input
  std::optional<float> pivot = {};
  std::optional<matrix_shape> shape = {};
  bool is_reordered = false;  ///< in a few other orders of lanes, warps and blocks, too
};

/// How the cases of a puzzle are run.
struct hidden_runs {
  unsigned warp_size;
  double seconds;        ///< each; the first that takes longer is run once more, for four times as long
  bool seeks_undefined;  ///< in other orders, even if the request itself does not
};

/// From simple to involved: sizes around both warp sizes and around a block of this puzzle; patterns; random numbers;
/// pivots and shapes, where the puzzle takes them; many blocks; other orders.
std::vector<hidden_case> hidden_cases(const puzzle& task, unsigned warp_size);

/// Runs the cases until one fails, and then the same with fewer elements until that fails: the smallest failure.
/// Nothing where all pass. `request` says how the kernel is run. `on_case` is called before each run.
std::optional<puzzle_outcome> smallest_failure(const puzzle& task, const run_request& request, const chosen_device& on,
                                               const hidden_runs& runs, const std::function<void()>& on_case);

}  // namespace warpz

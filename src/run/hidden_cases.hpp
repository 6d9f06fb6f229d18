// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hidden cases: inputs on which a user's kernel is judged beside the documented one. A kernel that is right on 32
// numbers in full warps may be wrong where a warp or a block ends early, with another warp size, on negative numbers,
// or in another order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/puzzle_run.hpp"

namespace warpz {

/// A hidden case, in terms of the options that repeat it.
struct hidden_case {
  std::size_t size = 0;  ///< elements; 0: the documented number, or the shape's
  input_source input = {};
  std::uint64_t seed = 0;  ///< for random input
  std::optional<float> pivot = {};
  std::optional<matrix_shape> shape = {};
  std::uint32_t launches = 1;  ///< of which the last one is judged
  bool is_reordered = false;   ///< also run it in a few other orders of lanes, warps and blocks
};

/// How the cases of a puzzle are run.
struct hidden_runs {
  double seconds;        ///< the time limit of each; the first that exceeds it gets four times as long
  bool seeks_undefined;  ///< search reordered cases for undefined values, even if the request does not
  bool is_endless;       ///< one has exceeded that, too
};

/// The request with the data of the case, in ascending order of lanes.
run_request request_for(const hidden_case& one, run_request request);

/// From simple to complex: sizes around both warp sizes and the puzzle's block; patterns; random numbers; pivots and
/// shapes, where the puzzle takes them; many blocks; other orders.
std::vector<hidden_case> hidden_cases(const puzzle& task, unsigned warp_size);

/// Runs cases of a puzzle on a device.
class case_runner {
 public:
  /// `request` says how the kernel is run. Keeps references.
  case_runner(const puzzle& task, const run_request& request, const chosen_device& on, const hidden_runs& runs)
      : task_(task), request_(request), on_(on), runs_(runs) {}

  /// The outcome of a case that fails.
  std::optional<puzzle_outcome> failure_of(const hidden_case& one);

  /// The outcome of this case with as few elements as fail; `found` where none with fewer does.
  puzzle_outcome smallest_failure(const hidden_case& one, puzzle_outcome found);

  bool is_endless() const { return runs_.is_endless; }

 private:
  const puzzle& task_;
  const run_request& request_;
  const chosen_device& on_;
  hidden_runs runs_;
};

}  // namespace warpz

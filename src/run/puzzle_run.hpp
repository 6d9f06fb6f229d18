// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One puzzle on one device: prepared, executed, judged.
//
// Knows puzzles and kernel processes, and nothing of options, formats or the user's view of exit codes.
#pragma once

#include <optional>

#include "run/backend.hpp"
#include "run/prepared_run.hpp"
#include "trace/trace.hpp"

namespace warpz {

struct judged_run {
  puzzle_outcome outcome;
  std::optional<trace> traced;  ///< what the lanes did, if the request asks for it
};

/// Throws if the device fails or memory is short.
///
/// Where a result is right except for rounding, a second run decides, on as many numbers whose sums are exact. If it
/// fails, it is returned in place of the first one.
judged_run run_puzzle(const puzzle& task, const run_request& request, const chosen_device& on);

}  // namespace warpz

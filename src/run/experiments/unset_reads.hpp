// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether anything depends on shared memory that lanes have read and nobody has set.
#pragma once

#include <vector>

#include "run/experiments/replay.hpp"

namespace warpz {

/// Runs the code with several values in place of those. Where nothing else is different, such reads become warnings:
/// the last lanes of a warp may well take part in a sum of which only the first ones are used.
void judge_unset_reads(replay& code, const run_record& first, std::vector<symbolized_finding>& found);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs code in other orders of its lanes, warps and blocks, and in larger blocks, to find results that depend on these,
// and findings that only show then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "findings/finding_filter.hpp"
#include "pieces/pieces.hpp"
#include "run/experiments/replay.hpp"

namespace warpz {

/// Runs the code for each seed: once in the seed's order and, if there are larger blocks for it, once in these. `first`
/// is the run in ascending order. Adds new findings to `found`, and one finding for results that differ, each with what
/// of its order is needed to find it (schedule_shrink.hpp). With a
/// `runner`, the seeds are divided: each worker has its own `code`, which has run once. `code_identity` is a hash of it
/// and of what it has read.
void explore_schedules(replay& code, const run_record& first, std::span<const std::uint64_t> seeds,
                       std::vector<symbolized_finding>& found, piece_runner* runner, std::uint64_t code_identity = 0);

}  // namespace warpz

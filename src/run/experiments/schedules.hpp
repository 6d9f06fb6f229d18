// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code in other orders of its lanes, warps and blocks, and in larger blocks: results that depend on the one or the
// other, and findings that only show then.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "findings/located_finding.hpp"
#include "run/experiments/replay.hpp"

namespace warpz {

/// Runs the code, whose first run was in ascending order, once for each seed in the seed's order, and once in the
/// seed's blocks if it has some. Adds to `found` what is new, and one finding for results that differ.
void explore_schedules(replay& code, const run_record& first, std::span<const std::uint64_t> seeds,
                       std::vector<located_finding>& found);

}  // namespace warpz

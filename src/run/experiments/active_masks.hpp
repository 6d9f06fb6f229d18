// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that asks which lanes are active (__activemask, coalesced_threads) and counts on more of them than are promised:
// it is run again in orders in which only some of those lanes are together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "run/experiments/replay.hpp"

namespace warpz {

/// Names the lines that ask as the cause of schedule dependences which do not occur where all lanes are together that
/// may be.
void attribute_to_active_lanes(replay& code, std::span<const std::string> files,
                               std::vector<symbolized_finding>& found);

/// Adds a schedule dependence if another set of active lanes changes the result, and the order alone does not. Files
/// with atomics whose order matters, or whose result is used, are left alone: there each set often gets its own places.
void explore_active_masks(replay& code, const run_record& first, std::span<const std::string> files,
                          std::vector<symbolized_finding>& found);

}  // namespace warpz

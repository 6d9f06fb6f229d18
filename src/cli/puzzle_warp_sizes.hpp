// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzles that are for one warp size.
#pragma once

#include <vector>

#include "cli/options.hpp"

namespace warpz {

/// The command as several, each of which has one choice of the warp size for all of its puzzles; mostly it is one.
/// Throws error(bad_input) where a puzzle is for another warp size than the one asked for; with --all it is left out.
std::vector<options> by_warp_size(const options& command);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puzzles that are for one warp size.
#pragma once

#include <vector>

#include "cli/options.hpp"

namespace warpz {

/// Divides the command into several, each with one choice of the warp size for all of its puzzles; usually into one.
/// Throws error(bad_input) if a puzzle is for another warp size than the one asked for; with --all such a puzzle is
/// left out.
std::vector<options> by_warp_size(const options& command);

}  // namespace warpz

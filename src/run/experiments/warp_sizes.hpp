// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same kernel with 32 and with 64 lanes in a warp: what it means that only one of the two is right.
#pragma once

#include <string>

#include "findings/outcome.hpp"
#include "findings/suppressions.hpp"

namespace warpz {

/// Adds a warp-size dependence to the one that is wrong, where the other is right: it then counts as a broken rule,
/// unless the finding is accepted. `source` is the kernel's file, whose hard-coded sizes are told; empty: not known.
void compare_warp_sizes(puzzle_outcome& one, puzzle_outcome& other, const std::string& source, suppressions* accepted);

}  // namespace warpz

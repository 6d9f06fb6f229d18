// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last steps of a tree that a warp is thought to take in step: `sums[t] += sums[t + 4];`, one behind the other.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"

namespace warpz {

/// For a race of one warp, and no wider one, within such updates in one branch of a function: each reads into a
/// variable, waits for the lanes of the branch, writes, and waits again.
std::optional<source_repair> update_repair(const symbolized_finding& race, std::string_view text);

}  // namespace warpz

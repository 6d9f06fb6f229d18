// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a barrier or a fence has to stand so that the accesses of a data race are ordered, by the text of the source.
#pragma once

#include <vector>

#include "findings/outcome.hpp"
#include "findings/symbols.hpp"

namespace warpz {

/// Gives each finding that divergence_repair() knows a change for that repair, and each data race the repair that
/// orders all of its accesses, if one is known. Races that one repair explains become one finding, the one that comes
/// first in the source; the others are counted.
void add_repairs(std::vector<symbolized_finding>& findings, const code_location& code, unsigned warp_size);

}  // namespace warpz

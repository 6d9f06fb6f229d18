// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The changes of the source after which findings are none any more, where they can be told from its text.
#pragma once

#include <vector>

#include "findings/outcome.hpp"
#include "findings/symbols.hpp"

namespace warpz {

/// Gives each finding the repair that is known for it. Races that one repair explains become one finding, the one that
/// comes first in the source; the others are counted.
void add_repairs(std::vector<symbolized_finding>& findings, const code_location& code, unsigned warp_size);

}  // namespace warpz

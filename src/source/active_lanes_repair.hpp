// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "findings/outcome.hpp"
#include "findings/source_text.hpp"

namespace warpz {

/// Votes on the way to the lines that ask for the active lanes, in place of what they ask. Nothing where the text does
/// not tell who comes there.
std::optional<source_repair> active_lanes_repair(const symbolized_finding& finding, const code_location& code,
                                                 unsigned warp_size);

}  // namespace warpz

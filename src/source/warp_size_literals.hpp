// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the size of a warp is written as a number, found in a kernel's source.
//
// Knows no grammar, only words: it looks at calls of warp operations and at loops around them, and at what is made of
// threadIdx.x. What it cannot be sure of it does not tell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

/// The lines that are written for warps of so many lanes, in their order; `function` is the line's text. In a call: a
/// mask of so many lanes, their number, the last one's number or half of them as an offset. In a loop around a call
/// that uses its variable: their number or half of them as a bound. A mask of lanes that is kept in 32 bits. Of
/// threadIdx.x, or a name that was given its value: a lane's or warp's number by division, remainder, bits or shift,
/// and steps of so many in a loop that begins there.
std::vector<source_line> warp_size_literals(std::string_view source, const std::string& file, unsigned lanes);

}  // namespace warpz

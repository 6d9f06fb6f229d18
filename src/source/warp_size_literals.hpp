// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds where a kernel's source has the warp size as a number.
//
// Knows tokens and no grammar: it looks at calls of warp operations, at loops around them, and at what is computed from
// threadIdx.x. It reports only what it is sure of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

/// The lines written for warps of `warp_size` lanes, in their order, each once; `function` is the line's text. They
/// have one of these:
/// - in a call of a warp operation, the mask of 32 lanes, or the warp size, its half or the last lane as an argument;
/// - the warp size or its half as a bound of a loop around a call that uses the loop's variable;
/// - a mask of lanes that is kept in 32 bits, or goes to a function that takes 32;
/// - `1u` shifted by a lane, or a lane compared with the last one;
/// - a lane's or warp's number, computed from threadIdx.x, or a name for it, by division, remainder, bits or a shift;
/// - a loop that begins at threadIdx.x and advances by the warp size.
std::vector<source_line> warp_size_literals(std::string_view source, const std::string& file, unsigned warp_size);

struct warp_size_assumption {
  source_line line;
  std::string reason;
};

/// The lines of loops that begin at or end with warpSize, or half of it, around a shuffle without a width, in a source
/// that has 32 as a number, too: what is meant may be rows or groups of 32 lanes.
std::vector<unsigned> whole_warp_loops(std::string_view source);

/// Those for 32 lanes that cannot be a step of code for 64, such as a shuffle by 16.
std::vector<warp_size_assumption> warp_size_assumptions(std::string_view source, const std::string& file);

}  // namespace warpz

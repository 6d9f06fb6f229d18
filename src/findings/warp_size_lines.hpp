// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lines of a source that are written for warps of one size, as Clang's plugin has listed them in the compiled code
// (src/instrument/warp_sizes.cpp).
#pragma once

#include <string>
#include <vector>

#include "findings/outcome.hpp"
#include "findings/symbols.hpp"

namespace warpz {

struct warp_size_line {
  source_line place;   ///< `function` is the line's text; empty: it may not be read
  unsigned size;       ///< 32 or 64 lanes; 0: a loop over a warp of any size, beside a 32 that may be what is meant
  std::string reason;  ///< "a mask names 32 lanes"; empty: the line may as well be a step of code for larger warps
  bool is_of_lanes;    ///< it has an operation of a warp or a lane's number; else threads may be counted for a tile
};

/// Those of the sources, and of the files in their folders, each line once for each size, in their order.
std::vector<warp_size_line> warp_size_lines_in(const code_location& code);

}  // namespace warpz

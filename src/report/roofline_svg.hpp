// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --bench has measured as a roofline: operations a second above operations for each byte, both logarithmic, below
// the two roofs that were measured beside the kernels, memory's and arithmetic's.
#pragma once

#include <string>

#include "run/benchmark.hpp"

namespace warpz {

/// XML with nothing in it that runs or comes from elsewhere. Black on white as the pictures of traces; shapes tell
/// variants, as colours do. Each kernel is a group of class "kernel" with data-puzzle and data-variant.
std::string roofline_svg(const benchmark& all);

}  // namespace warpz

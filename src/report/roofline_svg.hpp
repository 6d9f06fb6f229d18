// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A roofline of what --bench has measured: operations a second over operations per byte, both logarithmic, below two
// roofs that were measured beside the kernels, the memory's and the arithmetic's.
#pragma once

#include <string>

#include "run/benchmark.hpp"

namespace warpz {

/// SVG without scripts and without anything loaded from elsewhere, black on white. Variants differ in shape as well as
/// in colour. Each kernel is a group of class "kernel" with data-puzzle and data-variant.
std::string roofline_svg(const benchmark& all);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the shapes and lines of a picture mean.
#pragma once

#include "trace/svg_drawing.hpp"

namespace warpz {

/// Below the steps, one group for each sign that the picture has, in lines of this width.
void draw_legend(svg_drawing& on, double width);

}  // namespace warpz

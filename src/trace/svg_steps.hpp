// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The picture of one step, beside its label.
#pragma once

#include "trace/scan_cover.hpp"
#include "trace/svg_drawing.hpp"

namespace warpz {

/// Operands above, results below, an arrow from each source to each receiver. `joined`: the lanes whose values
/// each lane's value has joined; null where that is not known.
void draw_collective(svg_drawing& on, const trace_step& step, const std::vector<scan_cover::lane_range>* joined);

/// What lanes load, store or change. Elements have places of their own where they are not in the lanes' order, or in
/// shared memory, which shows who has written them.
void draw_access(svg_drawing& on, const trace_step& step);

}  // namespace warpz

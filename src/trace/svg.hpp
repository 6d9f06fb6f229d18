// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces as one SVG picture: lanes from left to right, steps from top to bottom, an arrow from each source to each
// receiver. Black on white: colours tell distances, and nothing that a shape or a text does not tell as well.
//
// Each arrow is a path of class "arrow"; its attributes data-from and data-to name lanes, and data-lane and data-index
// a lane and an element of memory. data-step and data-run of the groups around it say when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace warpz {

/// XML with nothing in it that runs or comes from elsewhere. Lanes that are not `shown` have no column.
std::string trace_svg(const std::vector<trace>& all, std::uint64_t shown);

/// The picture, with steps that come one after the other, again and again, where the reader does not ask for less
/// motion.
std::string animated_svg(const std::vector<trace>& all, std::uint64_t shown);

/// A picture for each step, in which those behind it are faint.
std::vector<std::string> svg_frames(const std::vector<trace>& all, std::uint64_t shown);

}  // namespace warpz

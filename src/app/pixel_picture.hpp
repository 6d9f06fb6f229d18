// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures in pixels: PNG by librsvg's rsvg-convert, and GIF of several of them by ImageMagick.
#pragma once

#include <span>
#include <string>

#include "cli/options.hpp"

namespace warpz {

/// Throws error(bad_input) that names the package where a program is missing that draws this format.
void check_pixel_programs(trace_format format);

/// Throw error(bad_input) in the program's own words where it fails.
std::string png_of(const std::string& svg);
/// The pictures one after the other, again and again, the last one longer.
std::string gif_of(std::span<const std::string> svgs);

}  // namespace warpz

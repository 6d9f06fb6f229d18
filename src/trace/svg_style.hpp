// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The colours and lines of a picture, by day and by night.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "trace/svg_drawing.hpp"

namespace warpz {

/// The colours of distances 1, 2, 4, …, from light to dark, so that they differ in print, too.
inline constexpr std::array<std::string_view, 6> distance_colours{"#d98c00", "#3d9c3f", "#1f8f8a",
                                                                  "#2f6fb0", "#5546a0", "#3a1060"};

/// The definitions that a picture begins with. No variables and no nesting, which few programs but browsers know.
std::string svg_style(const svg_drawing& of);

/// How long a picture that moves stays at each step, and how much longer at the last.
inline constexpr double seconds_of_step = 1.1, seconds_at_end = 2;

/// Hides the groups with the numbers from `first` to `last`, as those that are still to come.
std::string svg_hiding(std::size_t first, std::size_t last);

/// Shows the groups with the numbers 0 to `last` one after the other.
std::string svg_motion(std::size_t last);

}  // namespace warpz

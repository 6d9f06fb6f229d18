// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant that the host's code and the device's code of a source know by one name and two values, as Clang's plugin
// has listed them in the compiled code (src/instrument/side_values.cpp).
#pragma once

#include <string_view>
#include <vector>

#include "findings/outcome.hpp"
#include "findings/symbols.hpp"

namespace warpz {

/// The end of what is told of the host's line.
inline constexpr std::string_view host_value_event = " for the host";
/// What is told of a line that asks for the warp size itself.
inline constexpr std::string_view warp_size_read_event = "the device reads warpSize";

/// For each source the constant that tells most: an error where the host sizes what it gives to the device by it, else
/// a warning. Also a warning: a size by a constant of 32 that is called a warp's, where the device reads warpSize
/// and a warp has 64 lanes.
std::vector<symbolized_finding> disagreements_of_sides(const code_location& code, unsigned warp_size);

/// The same from the list's text.
std::vector<symbolized_finding> disagreements_in(std::string_view list, unsigned warp_size);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures as PNG, made by librsvg's rsvg-convert.
#pragma once

#include <string>

namespace warpz {

/// Throws error(bad_input) that names the package where rsvg-convert is missing.
void check_png_program();

/// Throws error(bad_input) in rsvg-convert's own words where it fails.
std::string png_of(const std::string& svg);

}  // namespace warpz

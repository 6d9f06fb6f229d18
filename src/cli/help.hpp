// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz says about itself: --help, --list, --version. Plain text that fits 80 columns and ends with a line end.
#pragma once

#include <string>

namespace warpz {

std::string help_text();

/// A line a puzzle: flag and title.
std::string list_text();

std::string version_text();

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz says about itself: --help, --list, --version. Text that ends with a line end; for people, it fits 80
// columns.
#pragma once

#include <string>

namespace warpz {

std::string help_text();

/// For a terminal: each puzzle's flag, title and kernel.
std::string list_text();

/// For other programs: one line for each puzzle, its flag, title and kernel separated by tabs.
std::string list_lines();

std::string version_text();

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz says about itself: --help, --list, --version. Text that ends with a line end; for people, it fits 80
// columns.
#pragma once

#include <string>

namespace warpz {

std::string help_text();

/// For a terminal: each puzzle's flag, title and kernel.
std::string list_text();

/// The same for other programs: a line a puzzle, with tabs between the three.
std::string list_lines();

std::string version_text();

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what compilers write beside their result: rules for make, and messages. Knows no compiler and opens no file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// The files named by what a compiler writes for make.
std::vector<std::string> files_in_depfile(std::string_view rule);

/// Without the sequences that color a terminal.
std::string without_colors(std::string_view text);

}  // namespace warpz

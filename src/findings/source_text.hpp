// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of the lines that findings name.
//
// Debug information and #line may name any file of this machine, and whoever reads a report need not be its owner. So
// only the sources that the user named are read, and files in their folders.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "findings/symbols.hpp"

namespace warpz {

/// Whether the file, a path without links, is in the folder of one of these sources.
bool is_beside(const std::filesystem::path& file, const std::vector<std::string>& sources);

/// The whole text. Empty where it may not be read, or where the file has changed since the code was compiled from it.
std::string_view file_text(const code_location& code, const std::string& file);

/// A line of it, without blanks at its end.
std::string source_text(const code_location& code, const std::string& file, unsigned line);

}  // namespace warpz

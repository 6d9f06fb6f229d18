// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what compilers write besides their result: depfiles and messages. Knows no compiler and opens no file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// The files named in a depfile, the rule that a compiler writes for make.
std::vector<std::string> files_in_depfile(std::string_view depfile);

/// The text without the escape sequences that color a terminal.
std::string without_colors(std::string_view text);

/// Messages, which may quote anything: their lines and colors stay, other control characters are escaped.
std::string harmless(std::string_view messages);

/// Whether an error in the messages names one of the words.
bool error_names(std::string_view messages, std::span<const std::string_view> words);

}  // namespace warpz

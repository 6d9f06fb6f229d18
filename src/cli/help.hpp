// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warpz says about itself: --help, --list, --version. Text that ends with a line end; for people, it fits 80
// columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpz {

/// --help: the commands, and the topics of which there is more. Fits a screen of 24 lines.
std::string help_text();

/// On a group of options, by the first word of its title in small letters; on all options, "options", or "exit-codes".
/// Nothing where it is none of these.
std::optional<std::string> help_on_options(std::string_view topic);

/// For a terminal: each puzzle's flag, title and kernel.
std::string list_text();

/// For other programs: one line for each puzzle, its flag, title and kernel separated by tabs.
std::string list_lines();

std::string version_text();

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a command line as CLI11 takes them. It stops at no `--` behind a list of files, knows no option that
// takes all words up to there, and no value that is missing behind an equals sign.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/option_table.hpp"

namespace warpz {

struct command_words {
  std::vector<std::string> own;        ///< short names are long ones; --cxxflags stands before each of its words
  std::vector<std::string> arguments;  ///< what follows `--`
};

/// Throws error(bad_input) where a value behind an equals sign is missing, as in `--size= 5`, or is not taken.
command_words split_words(std::vector<std::string> words, std::span<const option_row> table);

}  // namespace warpz

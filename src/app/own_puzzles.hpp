// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The puzzles of one's own that a command line names by --puzzles DIR.
#pragma once

#include <string>
#include <vector>

#include "puzzle/puzzle.hpp"

namespace warpz {

/// Makes them known, before the names of puzzles are looked for. Throws error(bad_input) where a folder cannot be read,
/// or a puzzle's name is taken.
void load_own_puzzles(int count, const char* const* arguments);

/// Throws error(bad_input) where the folder's name is that of a puzzle, an option or a command.
void refuse_taken_name(const std::string& folder);

/// Whether a value of --puzzles is a folder, and not a list of puzzles as `grade` takes one.
bool is_puzzle_folder_value(const std::string& value);

/// Those that were loaded from there.
std::vector<const puzzle*> own_puzzles_in(const std::string& folder);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A puzzle of one's own, read from a folder: README.md has the task, problem.hip and solution.hip the kernels,
// reference.py, reference.hip or reference.txt what is right, and puzzle.json the rest. docs/own-puzzles.md describes
// them.
//
// It runs nothing of the folder's: the puzzle's reference does, once it is called (learn/folder_reference.hpp).
#pragma once

#include <string>
#include <vector>

#include "puzzle/puzzle.hpp"

namespace warpz {

/// The folders of puzzles there: the folder itself, or those in it, by name. Throws error(bad_input) where there is
/// none.
std::vector<std::string> puzzle_folders_in(const std::string& folder);

/// The name of the folder, however its path is written.
std::string name_of_folder(const std::string& folder);

/// The same, and a puzzle's. Throws error(bad_input) where it cannot be.
std::string checked_name(const std::string& folder);

/// The puzzle in the folder. Throws error(bad_input) with the file that is missing or wrong.
puzzle read_puzzle_folder(const std::string& folder);

/// Writes a puzzle that works, as one to begin with, into a new folder. Throws error(bad_input) where there is such a
/// folder, or its name cannot be a puzzle's.
void write_puzzle_folder(const std::string& folder);

/// What to do next with it.
std::string new_puzzle_text(const std::string& program, const std::string& folder);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What students have handed in: a folder for each, with a file for each puzzle, as --kernel takes it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "learn/left_out_files.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {

struct submission {
  std::string student;  ///< the folder's name
  std::string folder;
  std::vector<std::string> files;  ///< for each puzzle; empty: it is missing
  std::vector<left_out_file> left_out = {};
};

/// A folder without any puzzle's file stands for those in it. Throws error(bad_input) where a folder cannot be read, or
/// two students have one name.
std::vector<submission> find_submissions(std::span<const std::string> folders, std::span<const puzzle* const> tasks);

/// The puzzles of which somebody has a file.
std::vector<const puzzle*> puzzles_in(std::span<const std::string> folders);

/// Two students whose files are nearly the same.
struct likeness {
  std::string first, second;
  const puzzle* task = nullptr;
  unsigned percent = 0;
};

/// Compares what neither the problem nor the solution has. Names that a student chose and comments do not count, and
/// neither does a file that has hardly anything of its own.
std::vector<likeness> find_copies(std::span<const submission> all, std::span<const puzzle* const> tasks);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of solutions for --kernel, such as a student's. Each puzzle's file is named after its flag: NAME.hip, or
// NAME/solution.hip as in this project's folder puzzles/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "puzzle/puzzle.hpp"

namespace warpz {

bool is_kernel_folder(const std::string& path);

/// A puzzle's file.
struct puzzle_file {
  const puzzle* task;
  std::string file;
};

class kernel_folder {
 public:
  /// Looks for these puzzles' files. Throws error(bad_input) if one is missing; with `may_miss`, only if all are.
  /// Without `wants_problems`, files that are the problems as they were given are left out, if there are others.
  kernel_folder(const std::string& path, std::span<const puzzle* const> wanted, bool may_miss, bool wants_problems);

  /// In the order of the puzzles.
  const std::vector<puzzle_file>& files() const { return files_; }

  /// Lines that say which puzzles have no file, and which files have no puzzle.
  const std::string& notes() const { return notes_; }

  /// Some of the puzzles that were looked for have no file.
  bool is_incomplete() const { return is_incomplete_; }

 private:
  std::vector<puzzle_file> files_;
  std::string notes_;
  bool is_incomplete_ = false;
};

}  // namespace warpz

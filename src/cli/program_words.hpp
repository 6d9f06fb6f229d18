// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a command line belongs to a whole program and not to warpz: further files after --run, all that follows
// --cxxflags, and all that follows --.
#pragma once

#include <string>
#include <vector>

namespace warpz {

struct program_words {
  std::vector<std::string> own;  ///< warpz's own words: --run with its first file among them
  bool has_run = false;
  std::vector<std::string> further_files;
  bool has_flags = false;
  std::vector<std::string> flags;
  std::vector<std::string> arguments;
};

/// Without --run and --cxxflags all words are warpz's own.
program_words split_program_words(const std::vector<std::string>& words);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of a command line that are about the user's program: further files after --run, everything after
// --cxxflags, and everything after --.
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

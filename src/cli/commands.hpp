// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands that are words, such as `warpz hint neighbor`: those for learning and teaching.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

struct word_command {
  std::string name = {};  ///< "learn", "watch", "hint", "status", "reset", "new", "help", "grade", "mcp"
  std::vector<std::string> operands = {};  ///< puzzles, folders, a topic
  bool solution = false;                   ///< hint prints the solution
  bool yes = false;                        ///< hint and reset do not ask
  std::vector<std::string> puzzles = {};   ///< folders of puzzles; grade takes lists such as "neighbor,vote", too
  // For grade:
  double limit = 0;   ///< seconds for all; 0: none
  unsigned jobs = 0;  ///< files judged at the same time; 0: as many as there are cores
  std::optional<std::string> csv = {}, json = {}, junit = {}, html = {};
};

/// The values of --puzzles, whatever the other words are: the names of the puzzles there are words and options.
std::vector<std::string> folders_of_puzzles(int count, const char* const* arguments);

/// Nothing where the first word is no command. Throws error(bad_input) where the words behind it are not understood.
std::optional<word_command> parse_command(int count, const char* const* arguments);

/// The words of a command line, in which puzzles' names and a file or a folder of kernels may stand without an option.
/// Throws error(bad_input) where one of the first words is neither, or a second file is named.
std::vector<std::string> with_bare_words(int count, const char* const* arguments);

/// What a command does, what it takes and its options. Nothing where it is no command.
std::optional<std::string> help_on_command(std::string_view name);

std::vector<std::string_view> command_names();

/// The commands with one line for each, as --help has them.
std::string commands_help();

}  // namespace warpz

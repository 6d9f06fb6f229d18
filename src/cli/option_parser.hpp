// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CLI11's part: it splits words into options and values by the table's rows, and has each row check and store its own.
//
// A command that is a word, such as `warpz hint PUZZLE`, is a CLI11 subcommand: a file of its own in this folder adds
// it to app().
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/option_table.hpp"

namespace warpz {

/// The words of a command line as CLI11 takes them. It stops at no `--` behind a list of files, knows no option that
/// takes all words up to there, and does not miss a value behind an equals sign.
struct command_words {
  std::vector<std::string> own;  ///< short names are long ones; each word of --cxxflags follows it and an equals sign
  std::vector<std::string> arguments;  ///< what follows `--`
};

/// Throws error(bad_input) where a value behind an equals sign is missing, as in `--size= 5`, or is not taken.
command_words split_words(std::vector<std::string> words, std::span<const option_row> table);

class option_parser {
 public:
  /// Keeps references.
  option_parser(std::span<const option_row> table, options& command);
  option_parser(const option_parser&) = delete;
  option_parser& operator=(const option_parser&) = delete;

  CLI::App& app() { return app_; }

  /// Stores the values into the options. Throws error(bad_input) where a word is not understood or a value is wrong.
  /// Where help or the version is asked for, that is returned, and nothing is stored.
  std::optional<action> parse(const std::vector<std::string>& own);

  /// What was stored, in the order in which each option was given first.
  std::vector<given_option> given() const;

 private:
  CLI::Option* add(const option_row& row);
  void check_left_over() const;

  std::span<const option_row> table_;
  options& command_;
  CLI::App app_;
  std::vector<CLI::Option*> known_;  ///< by the rows' numbers; null: not in the words
};

}  // namespace warpz

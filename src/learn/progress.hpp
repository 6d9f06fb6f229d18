// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a learner has tried, in a file of plain text: a line for each attempt and each hint. Lines are only added, each
// by one write, so that a crash costs the last line at most, and two commands can write at the same time.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "puzzle/puzzle.hpp"

namespace warpz {

/// How an attempt ended: so, as the next where only the puzzle's goal is missed, "wrong_result", "hidden_case" where
/// only the documented result is right, "does_not_compile", "error", or the name of a finding's kind.
inline constexpr std::string_view outcome_passed = "passed";
inline constexpr std::string_view outcome_cost = "cost";

/// "right", "wrong on another input", "data race": for people, where the file and JSON have the names.
std::string outcome_words(std::string_view outcome);

/// How far a learner is with one puzzle.
struct puzzle_progress {
  bool is_done = false;
  std::size_t attempts = 0;
  std::string last = {};             ///< how the last attempt ended; empty: there was none
  std::set<std::size_t> hints = {};  ///< the numbers of those that were given
};

class progress {
 public:
  /// The file's name in a working copy, and how it begins.
  static constexpr std::string_view file_name = "progress.txt";
  static constexpr std::string_view first_line = "# What was tried here. warpz adds lines at the end.\n";

  /// Reads the file. Lines that are not understood count for nothing.
  explicit progress(std::string file);

  const puzzle_progress& of(const puzzle& task) const;

  /// The puzzle of the last line; null where there is none.
  const puzzle* last() const { return last_; }

  /// These throw error(bad_input) where the file cannot be written.
  void add_attempt(const puzzle& task, std::string_view outcome);
  void add_hint(const puzzle& task, std::size_t number);
  /// The learner has gone on to this puzzle, and has not tried it yet.
  void add_choice(const puzzle& task);
  /// From here on the puzzle is as if it had not been tried.
  void add_reset(const puzzle& task);

 private:
  void add(const puzzle& task, const std::string& event);
  void apply(const puzzle& task, const std::string& event);

  std::string file_;
  std::map<const puzzle*, puzzle_progress> puzzles_;
  const puzzle* last_ = nullptr;
};

}  // namespace warpz

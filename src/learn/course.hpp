// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The puzzles as a course: chapters in order, in each the easy ones first. All of it is read from the puzzles' READMEs.
// Puzzles of one's own come first, a chapter for each folder that they are in, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "learn/judgement.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {

struct hint {
  std::string title;
  std::string text;                ///< Markdown
  std::vector<std::string> cases;  ///< the outcomes of an attempt after which it is the one to give
};

struct lesson {
  const puzzle* task = nullptr;
  std::string title;
  std::string chapter;
  std::string difficulty;
  std::string goal;  ///< as the README has it; empty: there is none
  std::vector<cost_goal> goals;
  std::string reading;  ///< the name in the reference to begin with
  std::string text;     ///< the task, without hints, in Markdown
  std::vector<hint> hints;
};

/// From the text of the puzzle's README. Throws std::invalid_argument, with the reason, where that has another form.
lesson read_lesson(const puzzle& task, std::string_view readme);

class course {
 public:
  /// A course of all puzzles.
  course();

  const std::vector<lesson>& lessons() const { return lessons_; }

  /// The chapters' names, in their order.
  std::vector<std::string_view> chapters() const;

  const lesson& lesson_of(const puzzle& task) const;

  /// Counted from 1.
  std::size_t place_of(const lesson& one) const { return static_cast<std::size_t>(&one - lessons_.data()) + 1; }

 private:
  std::vector<lesson> lessons_;
};

}  // namespace warpz

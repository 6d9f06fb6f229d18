// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The puzzles as a course: chapters in order, in each the easy ones first. All of it is read from the puzzles' READMEs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  std::vector<std::string> goals;  ///< the costs of which there may be no more than in the solution, by cost_kinds
  std::string reading;             ///< the name in the reference to begin with
  std::string text;                ///< the task, without hints, in Markdown
  std::vector<hint> hints;
};

/// The chapters' names, in their order.
std::span<const std::string_view> chapters();

/// From the text of the puzzle's README. Throws std::invalid_argument, with the reason, where that has another form.
lesson read_lesson(const puzzle& task, std::string_view readme);

class course {
 public:
  /// A course of all puzzles.
  course();

  const std::vector<lesson>& lessons() const { return lessons_; }

  const lesson& lesson_of(const puzzle& task) const;

  /// Counted from 1.
  std::size_t place_of(const lesson& one) const { return static_cast<std::size_t>(&one - lessons_.data()) + 1; }

 private:
  std::vector<lesson> lessons_;
};

}  // namespace warpz

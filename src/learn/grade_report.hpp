// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A class's results: as a table for a terminal, CSV, JSON, JUnit and a page.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "learn/grade.hpp"

namespace warpz {

struct class_results {
  std::vector<const puzzle*> tasks;
  std::vector<graded_student> students;
  std::vector<likeness> copies;
};

/// The table's first line, and its lines, one by one, so that they can be shown as they come. Where a terminal of
/// `columns` is too narrow for a column per puzzle, a student's line lists the puzzles by how they ended.
class class_table {
 public:
  class_table(std::span<const puzzle* const> tasks, std::span<const submission> students,
              std::size_t columns = std::numeric_limits<std::size_t>::max());
  std::string head() const;
  std::string row(const graded_student& one) const;

 private:
  std::string line(std::string_view student, std::span<const std::string> cells, std::string_view right) const;
  std::string list(const graded_student& one) const;

  std::span<const puzzle* const> tasks_;
  std::size_t name_width_ = 0;
  std::vector<std::size_t> widths_;
  std::size_t columns_;
  bool is_list_ = false;
};

/// "left out: ann/vot.hip (vote.hip?)", a line for each.
std::string left_out_text(std::span<const graded_student> students);

/// "alike: ann and bob, vote (92 %)", a line for each.
std::string copies_text(std::span<const likeness> copies);

std::string class_csv(const class_results& results);
std::string class_json(const class_results& results);
std::string class_junit(const class_results& results);
std::string class_html(const class_results& results);

}  // namespace warpz

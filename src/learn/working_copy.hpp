// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A learner's folder: a file for each puzzle, which begins as its problem, the tasks, and what has been tried.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "learn/course.hpp"
#include "learn/progress.hpp"

namespace warpz {

class working_copy {
 public:
  static constexpr std::string_view default_folder = "warpz-course";

  /// Makes what the folder lacks, and changes no file that is there. `program` is warpz as its README calls it. Throws
  /// error(bad_input) where something cannot be written.
  static working_copy make(const course& all, const std::string& folder, const std::string& program);

  /// The one in this folder; without a folder, in the current one, the nearest above it that has one, or in
  /// default_folder. Nothing where there is none.
  static std::optional<working_copy> find(const std::optional<std::string>& folder);

  const std::string& folder() const { return folder_; }
  std::string file_of(const puzzle& task) const;
  std::string task_file_of(const puzzle& task) const;

  /// The file is there, and is not the problem as it was given.
  bool is_begun(const puzzle& task) const;

  /// Keeps the learner's file beside it, by the name that is returned, and writes the problem again.
  std::string reset(const puzzle& task) const;

 private:
  explicit working_copy(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

/// The problem as it is given.
std::string_view problem_of(const puzzle& task);

/// The first lesson that is not done, after this one and then from the beginning; null where all are.
const lesson* next_open(const course& all, const progress& done, const lesson* after);

/// The lesson to go on with: the one that was tried last, or the next after it; the first where all are done.
const lesson& current_lesson(const course& all, const progress& done);

std::size_t count_done(const course& all, const progress& done);

/// Where one is: each chapter's puzzles, which of them are done, tried and open.
std::string status_text(const course& all, const progress& done);

/// The task in at most `lines` lines of at most `width` columns: where it stands in the course, and the beginning of
/// its text.
std::vector<std::string> task_lines(const course& all, const lesson& one, std::size_t lines, std::size_t width);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges what students have handed in, each file by a warpz of its own: what one does stops none of the others.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "learn/judgement.hpp"
#include "learn/submissions.hpp"
#include "pieces/pieces.hpp"

namespace warpz {

enum class mark { right, wrong, rule, cost, does_not_compile, timeout, not_attempted, missing, not_judged };

/// As tables have it: "wrong", "does not compile".
std::string_view mark_name(mark one);

struct graded_file {
  mark result = mark::missing;
  judgement verdict = {};
};

struct graded_student {
  submission handed_in;
  std::vector<graded_file> files;  ///< for each puzzle

  std::size_t right() const;
};

struct grading {
  std::string program;  ///< warpz as the user called it
  double seconds = 0;   ///< for all together; 0: no limit
  piece_runner* files;  ///< who judges which file
};

/// Hands over each student once all the student's files are judged, in the order given. Files that are not judged in
/// time are marked so.
void grade(const grading& request, std::span<const submission> all, std::span<const puzzle* const> tasks,
           const std::function<void(const graded_student&)>& on_student);

}  // namespace warpz

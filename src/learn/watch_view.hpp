// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the screen of `warpz watch` shows, as lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "learn/course.hpp"
#include "learn/judgement.hpp"
#include "learn/progress.hpp"

namespace warpz {

struct watch_state {
  const lesson* current = nullptr;
  bool is_begun = false;               ///< the file is not the problem as it was given
  std::optional<judgement> last = {};  ///< on the file as it was saved last
  std::optional<double> running = {};  ///< seconds since the judgement began that is not there yet
  std::string running_text = {};       ///< that a kernel is still running, and where; empty: so far none does
  double limit = 0;                    ///< seconds after which a kernel is stopped
  std::optional<cost_totals> solution = {};
  std::string file = {};  ///< the kernel's, as a word of a command
  std::string page = {};  ///< shown in place of the verdict: the task, a hint, a summary; lines
  std::string note = {};  ///< one line above the keys
  bool has_color = false;
};

/// At most `rows` lines, none broken over two.
std::vector<std::string> watch_lines(const course& all, const progress& done, const watch_state& state,
                                     std::size_t rows, std::size_t columns);

/// What a learner reads of a verdict: the verdict, the elements around the first difference, the findings. Lines, each
/// ended.
std::string verdict_text(const judgement& one, const std::optional<cost_totals>& solution);

}  // namespace warpz

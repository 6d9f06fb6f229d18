// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/help_on.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/manual.hpp"
#include "error.hpp"
#include "learn/course.hpp"
#include "learn/judge_command.hpp"
#include "learn/markdown.hpp"
#include "learn/working_copy.hpp"
#include "system/installed.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {

std::string help_on(const puzzle& task) {
  const course all;
  const lesson& one = all.lesson_of(task);
  std::string text = fmt::format("{}\n\n{}", fmt::join(task_lines(all, one, 1, page_columns), "\n"),
                                 terminal_text(one.text, page_columns));
  if (!one.reading.empty()) {
    const std::string where = fmt::format("Read {} in {}.", one.reading, document("reference.md"));
    text += fmt::format("\n{}\n", fmt::join(wrapped(where, page_columns), "\n"));
  }
  const std::string more = puzzles_option();
  return text + fmt::format("To run the solution: warpz {0}{1}\nTo solve it: warpz learn {0}{1}\n", task.flag, more);
}

std::string help_on(const std::string& topic) {
  if (topic.empty()) return help_text();
  if (const puzzle* const task = find_puzzle(topic)) return help_on(*task);
  if (topic == "man") return manual_page();
  if (auto text = help_on_command(topic)) return *text;
  if (auto text = help_on_options(topic)) return *text;
  throw error(exit_code::bad_input, fmt::format("there is no help on '{}'", printable(topic, max_shown)),
              "warpz help lists the topics.");
}

}  // namespace warpz

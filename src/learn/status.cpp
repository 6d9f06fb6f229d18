// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of learn/working_copy.hpp that say where a learner is.
#include <fmt/format.h>

#include <algorithm>

#include "learn/markdown.hpp"
#include "learn/working_copy.hpp"

namespace warpz {
namespace {

std::string state_of(const puzzle_progress& one) {
  if (one.is_done) return "done";
  if (one.attempts == 0) return "open";
  return fmt::format("tried {}, last: {}", one.attempts == 1 ? "once" : fmt::format("{} times", one.attempts),
                     outcome_words(one.last));
}

}  // namespace

const lesson* next_open(const course& all, const progress& done, const lesson* after) {
  const std::vector<lesson>& lessons = all.lessons();
  const std::size_t first = after == nullptr ? 0 : all.place_of(*after);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const lesson& one = lessons[(first + i) % lessons.size()];
    if (!done.of(*one.task).is_done) return &one;
  }
  return nullptr;
}

const lesson& current_lesson(const course& all, const progress& done) {
  const lesson* const last = done.last() == nullptr ? nullptr : &all.lesson_of(*done.last());
  if (last != nullptr && !done.of(*last->task).is_done) return *last;
  const lesson* const next = next_open(all, done, last);
  return next == nullptr ? all.lessons().front() : *next;
}

std::size_t count_done(const course& all, const progress& done) {
  return static_cast<std::size_t>(std::count_if(all.lessons().begin(), all.lessons().end(),
                                                [&](const lesson& one) { return done.of(*one.task).is_done; }));
}

std::string status_text(const course& all, const progress& done) {
  std::string text;
  for (const std::string_view chapter : all.chapters()) {
    std::string rows;
    std::size_t in_chapter = 0, done_in_chapter = 0;
    for (const lesson& each : all.lessons()) {
      if (each.chapter != chapter) continue;
      const puzzle_progress& one = done.of(*each.task);
      ++in_chapter;
      done_in_chapter += one.is_done ? 1 : 0;
      rows += fmt::format("  {:<31}{:<8}{}\n", each.task->flag, each.difficulty, state_of(one));
    }
    text += fmt::format("{}: {} of {} done\n{}\n", chapter, done_in_chapter, in_chapter, rows);
  }
  return text + fmt::format("{} of {} done\n", count_done(all, done), all.lessons().size());
}

std::vector<std::string> task_lines(const course& all, const lesson& one, std::size_t lines, std::size_t width) {
  std::vector<std::string> shown{fmt::format("{}: puzzle {} of {}, chapter {}, {}", one.title, all.place_of(one),
                                             all.lessons().size(), one.chapter, one.difficulty)};
  if (!one.goal.empty()) shown.push_back(fmt::format("goal: {}", one.goal));
  for (const std::string& block : markdown_blocks(one.text)) {
    const std::vector<std::string> more = terminal_lines(block, width);
    if (shown.size() + 1 + more.size() > lines) break;
    shown.emplace_back();
    shown.insert(shown.end(), more.begin(), more.end());
  }
  return shown;
}

}  // namespace warpz

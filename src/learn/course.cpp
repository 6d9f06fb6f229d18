// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "learn/judgement.hpp"
#include "puzzle/project_files.hpp"

namespace warpz {
namespace {

constexpr std::array<std::string_view, 4> chapter_names{"warp", "block", "synchronization", "whole arrays"};
constexpr std::array<std::string_view, 3> difficulties{"easy", "medium", "hard"};

constexpr std::string_view details_begin = "<details";
constexpr std::string_view details_end = "</details>";
constexpr std::string_view summary_begin = "<summary>Hint: ";
constexpr std::string_view summary_end = "</summary>";
constexpr std::string_view cases_begin = "data-for=\"";

/// What is between the two, and empty where they are not there.
std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t first = text.find(begin);
  if (first == text.npos) return {};
  text.remove_prefix(first + begin.size());
  return text.substr(0, std::min(text.find(end), text.size()));
}

std::string_view without_outer_blank_lines(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of('\n'), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

std::vector<hint> hints_in(std::string_view text) {
  std::vector<hint> hints;
  for (std::size_t begin = text.find(details_begin); begin != text.npos; begin = text.find(details_begin, begin + 1)) {
    const std::string_view block = text.substr(begin, text.find(details_end, begin) - begin);
    const std::string_view head = block.substr(0, block.find('\n'));
    if (head.find(summary_begin) == head.npos) continue;
    std::istringstream cases{std::string(between(head, cases_begin, "\""))};
    hints.push_back({std::string(between(head, summary_begin, summary_end)),
                     std::string(without_outer_blank_lines(block.substr(std::min(head.size(), block.size())))),
                     {std::istream_iterator<std::string>(cases), {}}});
  }
  return hints;
}

template <std::size_t N>
std::size_t place_in(const std::array<std::string_view, N>& names, std::string_view name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

template <std::size_t N>
std::string known(const std::array<std::string_view, N>& names, std::string_view name, const puzzle& task) {
  if (place_in(names, name) == N) throw std::invalid_argument(fmt::format("{}: unknown: '{}'", task.flag, name));
  return std::string(name);
}

/// "collectives", "bank conflicts or barriers".
std::vector<std::string> goals_in(std::string_view words, const puzzle& task) {
  constexpr std::string_view separator = " or ";
  std::vector<std::string> goals;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(separator), words.size());
    const std::string_view name = words.substr(0, end);
    const auto is_it = [name](const cost_kind& each) { return each.name == name; };
    if (std::none_of(cost_kinds.begin(), cost_kinds.end(), is_it))
      throw std::invalid_argument(fmt::format("{}: no cost: '{}'", task.flag, name));
    goals.emplace_back(name);
    words.remove_prefix(std::min(end + separator.size(), words.size()));
  }
  return goals;
}

}  // namespace

std::span<const std::string_view> chapters() { return chapter_names; }

lesson read_lesson(const puzzle& task, std::string_view readme) {
  const std::string_view title = between(readme, "# ", " (`--");
  const std::size_t begin = readme.find("\n\nChapter: ");
  if (title.empty() || begin == readme.npos) {
    throw std::invalid_argument(fmt::format("{}: its README does not begin as a puzzle's does", task.flag));
  }
  const std::string_view facts = between(readme, "\n\n", "\n");
  const std::string_view body = without_outer_blank_lines(readme.substr(begin + 2 + facts.size()));
  lesson one;
  one.task = &task;
  one.title = title;
  one.chapter = known(chapter_names, between(facts, "Chapter: ", "."), task);
  one.difficulty = known(difficulties, between(facts, "Difficulty: ", "."), task);
  one.goals = goals_in(between(facts, "Goal: no more ", " than the solution."), task);
  one.reading = between(facts, "Read: [`", "`]");
  one.text = without_outer_blank_lines(body.substr(0, body.find(details_begin)));
  one.hints = hints_in(body);
  return one;
}

course::course() {
  for (const puzzle* const each : puzzles()) {
    lessons_.push_back(read_lesson(*each, project_file(fmt::format("puzzles/{}/README.md", each->flag))));
  }
  const auto rank = [](const lesson& one) {
    return std::tuple(place_in(chapter_names, one.chapter), place_in(difficulties, one.difficulty), one.task->number);
  };
  std::sort(lessons_.begin(), lessons_.end(), [&](const lesson& a, const lesson& b) { return rank(a) < rank(b); });
}

const lesson& course::lesson_of(const puzzle& task) const {
  return *std::find_if(lessons_.begin(), lessons_.end(), [&](const lesson& one) { return one.task == &task; });
}

}  // namespace warpz

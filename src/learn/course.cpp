// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <tuple>

#include "learn/puzzle_folder.hpp"
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

/// The parts of "A or B", and of a text without " or " itself.
std::vector<std::string_view> parts_of(std::string_view words, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(separator), words.size());
    parts.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + separator.size(), words.size()));
  }
  return parts;
}

const cost_kind& cost_named(std::string_view name, const puzzle& task) {
  const auto is_it = [name](const cost_kind& each) { return each.name == name || each.noun == name; };
  const auto found = std::find_if(cost_kinds.begin(), cost_kinds.end(), is_it);
  if (found == cost_kinds.end()) throw std::invalid_argument(fmt::format("{}: no cost: '{}'", task.flag, name));
  return *found;
}

/// Of "no bank conflict", "at most 5 shuffles", "no more collectives or barriers than the solution", or several of
/// these with " and " between them.
std::vector<cost_goal> goals_in(std::string_view words, const puzzle& task) {
  constexpr std::string_view no_more = "no more ", than_solution = " than the solution", most = "at most ",
                             none = "no ";
  std::vector<cost_goal> goals;
  for (std::string_view each : parts_of(words, " and ")) {
    if (each.starts_with(no_more) && each.ends_with(than_solution)) {
      each = each.substr(no_more.size(), each.size() - no_more.size() - than_solution.size());
      for (const std::string_view name : parts_of(each, " or ")) goals.push_back({&cost_named(name, task), {}});
      continue;
    }
    std::uint64_t number = 0;
    if (each.starts_with(most)) {
      const char* const begin = each.data() + most.size();
      const auto [end, failed] = std::from_chars(begin, each.data() + each.size(), number);
      if (failed != std::errc() || end == each.data() + each.size() || *end != ' ')
        throw std::invalid_argument(fmt::format("{}: no number in the goal: '{}'", task.flag, each));
      each.remove_prefix(static_cast<std::size_t>(end + 1 - each.data()));
    } else if (each.starts_with(none)) {
      each.remove_prefix(none.size());
    } else {
      throw std::invalid_argument(fmt::format("{}: no goal: '{}'", task.flag, each));
    }
    goals.push_back({&cost_named(each, task), number});
  }
  return goals;
}

}  // namespace

lesson read_lesson(const puzzle& task, std::string_view readme) {
  const std::string_view heading = readme.starts_with("# ") ? between(readme, "# ", "\n") : std::string_view();
  const std::string_view title = heading.substr(0, heading.find(" (`--"));
  const std::string_view facts = between(readme, "\n\n", "\n");
  const std::string_view first_fact = task.is_own() ? "Difficulty: " : "Chapter: ";
  if (title.empty() || !facts.starts_with(first_fact)) {
    throw std::invalid_argument(fmt::format("{}: its README does not begin as a puzzle's does", task.flag));
  }
  const std::string_view body = without_outer_blank_lines(readme.substr(readme.find("\n\n") + 2 + facts.size()));
  lesson one;
  one.task = &task;
  one.title = title;
  one.chapter = task.is_own() ? name_of_folder(task.folder + "/..")
                              : known(chapter_names, between(facts, "Chapter: ", "."), task);
  one.difficulty = known(difficulties, between(facts, "Difficulty: ", "."), task);
  one.goal = between(facts, "Goal: ", ".");
  one.goals = goals_in(one.goal, task);
  one.reading = between(facts, "Read: [`", "`]");
  one.text = without_outer_blank_lines(body.substr(0, body.find(details_begin)));
  one.hints = hints_in(body);
  return one;
}

course::course() {
  for (const puzzle* const each : puzzles()) {
    lessons_.push_back(read_lesson(*each, text_of(*each, "README.md")));
  }
  const auto rank = [](const lesson& one) {
    const bool is_own = one.task->is_own();
    return std::tuple(!is_own, is_own ? one.chapter : "", is_own ? 0 : place_in(chapter_names, one.chapter),
                      place_in(difficulties, one.difficulty), one.task->number);
  };
  std::sort(lessons_.begin(), lessons_.end(), [&](const lesson& a, const lesson& b) { return rank(a) < rank(b); });
}

std::vector<std::string_view> course::chapters() const {
  std::vector<std::string_view> names;
  for (const lesson& each : lessons_) {
    if (names.empty() || names.back() != each.chapter) names.push_back(each.chapter);
  }
  return names;
}

const lesson& course::lesson_of(const puzzle& task) const {
  return *std::find_if(lessons_.begin(), lessons_.end(), [&](const lesson& one) { return one.task == &task; });
}

}  // namespace warpz

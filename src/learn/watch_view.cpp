// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/watch_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "findings/kinds.hpp"
#include "learn/working_copy.hpp"
#include "report/colored.hpp"
#include "report/details.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

constexpr std::string_view keys = "h hint  k task  t trace  p page  a all  n next  q quit";

/// Two parts of a line, at its ends.
std::string spread(std::string_view left, std::string_view right, std::size_t columns) {
  const std::size_t used = columns_of(left) + columns_of(right);
  return fmt::format("{}{}{}", left, std::string(used + 1 < columns ? columns - used : 1, ' '), right);
}

std::string input_words(const judgement& one) {
  if (!one.is_hidden) return "";
  const std::string_view plural = one.size == 1 ? "" : "s";
  std::string words = fmt::format(" on {} number{} ({})", one.size, plural, one.input);
  if (one.input == "documented" || one.input == "random")
    words = fmt::format(" on {} {} number{}", one.size, one.input, plural);
  return one.launches == 1 ? words : fmt::format("{}, at launch {}", words, one.launches);
}

/// The verdict in capitals, and what it is about.
std::string headline(const judgement& one) {
  if (one.passed()) return "RIGHT";
  if (one.outcome == outcome_cost) return "RIGHT, but too costly";
  if (one.outcome == "does_not_compile") return "DOES NOT COMPILE";
  if (one.outcome == "error") return "NOT JUDGED";
  if (const finding_kind* const kind = kind_named(one.outcome))
    return fmt::format("BROKEN RULE with {} lanes: {}{}", one.warp_size, kind->noun, input_words(one));
  const bool is_one = one.differing == 1;
  // The hidden inputs are tried with 32 lanes first.
  const std::string_view contrast = one.is_hidden && one.warp_size == 64 ? ", right with 32" : "";
  return fmt::format("WRONG with {} lanes{}: {} element{} differ{}{}", one.warp_size, contrast, one.differing,
                     is_one ? "" : "s", is_one ? "s" : "", input_words(one));
}

std::string elements_table(const judgement& one) {
  std::string text = fmt::format("{:>8}{:>16}{:>16}{:>16}\n", "index",
                                 one.elements.front().input.empty() ? "" : "input", "output", "expected");
  for (const judged_element& each : one.elements) {
    text += fmt::format("{:>8}{:>16}{:>16}{:>16}{}\n", each.index, each.input, each.output, each.expected,
                        each.is_wrong() ? "  <--" : "");
  }
  return text;
}

/// A line of a report on lines of the screen. Source that is quoted keeps its columns, and is cut off at the last one.
void add_wrapped(std::vector<std::string>& lines, std::string_view line, std::size_t columns) {
  const bool is_quote = line.find(" | ") != line.npos;
  if (is_quote || columns_of(line) <= columns) {
    lines.emplace_back(line.substr(0, bytes_of_columns(line, columns)));
    return;
  }
  const std::size_t indent = std::min(line.find_first_not_of(' '), columns / 2);
  for (const std::string& each : wrapped(line, columns - indent, 2)) lines.push_back(std::string(indent, ' ') + each);
}

void add_text(std::vector<std::string>& lines, std::string_view text, std::size_t columns) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    add_wrapped(lines, text.substr(0, end), columns);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string body_text(const course& all, const progress& done, const watch_state& state, std::size_t rows,
                      std::size_t columns) {
  if (!state.page.empty()) return state.page;
  if (state.running) {
    // The compiler and many inputs take their time, too.
    if (state.running_text.empty())
      return *state.running < 2 ? "judging ...\n" : fmt::format("judging ... {:.0f} s\n", *state.running);
    return fmt::format("{}. Does a loop not end?\n", state.running_text);
  }
  if (!state.is_begun) {
    std::string text =
        fmt::format("Not attempted: {}.hip is as it was given. Edit and save it.\n\n", state.current->task->flag);
    for (const std::string& line : task_lines(all, *state.current, rows - 2, columns)) text += line + "\n";
    return text;
  }
  if (!state.last) return "";
  std::string text = verdict_text(*state.last, state.solution);
  if (!state.last->passed()) return text;
  const lesson* const next = next_open(all, done, state.current);
  return text + (next == nullptr ? "All puzzles are done.\n" : fmt::format("Next: {} (key n)\n", next->task->flag));
}

}  // namespace

std::string verdict_text(const judgement& one, const std::optional<cost_totals>& solution) {
  std::string text = headline(one) + "\n";
  if (const std::string hidden = passed_hidden_text(one.passed_hidden); !hidden.empty())
    text += fmt::format("It is {}.\n", hidden);
  const bool is_right = one.passed() || one.outcome == outcome_cost;
  if (is_right && one.costs) text += fmt::format("It costs {}.\n", costs_text(*one.costs, solution));
  if (!one.elements.empty()) text += elements_table(one);
  return text + one.words;
}

std::vector<std::string> watch_lines(const course& all, const progress& done, const watch_state& state,
                                     std::size_t rows, std::size_t columns) {
  const lesson& current = *state.current;
  std::vector<std::string> lines;
  lines.push_back(spread(fmt::format("{}: {}", current.task->flag, current.title),
                         fmt::format("{} of {} done", count_done(all, done), all.lessons().size()), columns));
  lines.push_back(
      spread(fmt::format("chapter {}, {}, puzzle {}", current.chapter, current.difficulty, all.place_of(current)),
             fmt::format("hints: {} of {}", done.of(*current.task).hints.size(), current.hints.size()), columns));
  lines.emplace_back();
  const std::size_t head = lines.size();
  const std::size_t foot = 2;
  const std::size_t space = rows > head + foot ? rows - head - foot : 1;
  const bool is_verdict = state.page.empty() && !state.running && state.last && state.is_begun;
  std::vector<std::string> body;
  add_text(body, body_text(all, done, state, space, columns), columns);
  if (body.size() > space) {
    const std::size_t more = body.size() - space + 1;
    body.resize(space);
    // What a page leaves out is said in the note, if anywhere.
    const std::string who = is_verdict ? fmt::format(": warpz {}", state.file) : "";
    body.back() = fmt::format("({} more line{}{})", more, more == 1 ? "" : "s", who);
  }
  if (is_verdict && !body.empty()) {
    body.front() = colored(body.front(), state.last->passed() ? green : red, state.has_color);
  }
  lines.insert(lines.end(), body.begin(), body.end());
  lines.resize(head + space);
  // Where a line is longer than the screen, its end would be written over the last column.
  for (const std::string_view line : {std::string_view(state.note), keys})
    lines.emplace_back(line.substr(0, bytes_of_columns(line, columns)));
  if (lines.size() > rows) lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(rows));
  return lines;
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/details.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "findings/kinds.hpp"
#include "report/finding_words.hpp"
#include "text/number.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

using table_cells = std::vector<std::string>;

/// The columns between the index and the values: who should have written the element, or where it is in a matrix.
table_cells place_titles(const puzzle_outcome& result) {
  if (result.shape) return {"row", "column"};
  const bool placed = !result.first_mismatches.empty() && result.first_mismatches.front().placed;
  return placed ? table_cells{"block", "warp", "lane"} : table_cells{};
}

table_cells place_of(const mismatch& difference, const puzzle_outcome& result) {
  const auto text = [](std::size_t number) { return fmt::format("{}", number); };
  if (result.shape) return {text(difference.index / result.shape->n), text(difference.index % result.shape->n)};
  if (!difference.placed) return {};
  return {text(difference.block), text(difference.warp), text(difference.lane)};
}

table_cells row_of(std::string index, const table_cells& place, std::string output, std::string expected) {
  table_cells row{std::move(index)};
  row.insert(row.end(), place.begin(), place.end());
  row.push_back(std::move(output));
  row.push_back(std::move(expected));
  return row;
}

/// Right-aligned columns with two blanks between them.
std::string mismatch_table(const puzzle_outcome& result) {
  std::vector<table_cells> rows{row_of("index", place_titles(result), "output", "expected")};
  for (const mismatch& each : result.first_mismatches) {
    rows.push_back(row_of(fmt::format("{}", each.index), place_of(each, result),
                          never_written(each.output) ? "never written" : number_text(each.output),
                          number_text(each.expected)));
  }
  std::vector<std::size_t> widths(rows.front().size());
  for (const table_cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const table_cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      fmt::format_to(std::back_inserter(text), "  {:>{}}", row[i], widths[i]);
    text += '\n';
  }
  return text;
}

/// How far the elements reach that nobody has written, if that is further than the table.
std::string never_written_text(const puzzle_outcome& result) {
  if (result.first_mismatches.empty() || !never_written(result.first_mismatches.front().output)) return {};
  const std::size_t first = result.first_mismatches.front().index;
  std::size_t end = first;
  while (end < result.output.size() && never_written(result.output[end])) ++end;
  if (end - first <= result.first_mismatches.size()) return {};
  return fmt::format("  output[{}] to output[{}] were never written\n", first, end - 1);
}

struct kind_count {
  const finding_kind* kind = nullptr;
  std::size_t places = 0;
  std::uint64_t times = 0;
};

/// By whether it is a warning, and the kind's name.
using kind_counts = std::map<std::pair<bool, std::string_view>, kind_count>;

/// " 2 data races (3 times), 1 misaligned access"
std::string counts_text(const kind_counts& found) {
  std::string text;
  for (const auto& [key, one] : found) {
    text += fmt::format("{} {} {}{}", text.empty() ? "" : ",", one.places,
                        one.places == 1 ? one.kind->noun : one.kind->plural_noun, key.first ? " (warning)" : "");
    if (one.times != 1) text += fmt::format(" ({} times)", one.times);
  }
  return text;
}

/// Advice has lines of its own, which stay where they fit.
std::string advice_text(const std::string& fix, std::size_t columns) {
  std::string text = fmt::format("  {}\n", fix);
  if (fitted(text, columns) == text) return text;
  text.clear();
  for (const std::string& each : wrapped(fix, columns - 2)) text += fmt::format("  {}\n", each);
  return text;
}

}  // namespace

std::string error_text(const error& reason, std::size_t columns) {
  const std::string text = fmt::format("warpz: {}\n", reason.what());
  const std::string advice = reason.advice().empty() ? "" : reason.advice() + "\n";
  const bool is_quoted = std::string_view(reason.what()).find('\n') != std::string_view::npos;
  return (is_quoted ? text : fitted(text, columns)) + fitted(advice, columns);
}

std::string count_text(const outcome& result) {
  kind_counts reported, suppressed;
  std::uint64_t all = 0;
  for (const symbolized_finding& each : result.findings) {
    const finding_kind& kind = kind_of(each.record.kind);
    kind_count& one = (each.suppressed ? suppressed : reported)[{each.record.severity == WARPZ_WARNING, kind.name}];
    one.kind = &kind;
    ++one.places;
    const std::uint64_t times = kind.rule_has_count ? 1 : std::uint64_t{1} + each.record.repeats;
    one.times += times;
    if (!each.suppressed) all += times;
  }
  std::vector<std::string> parts;
  if (all > 1 || (all == 1 && result.findings_left_out + suppressed.size() != 0)) {
    parts.push_back("found:" + counts_text(reported));
  }
  if (result.findings_left_out != 0) {
    parts.push_back(fmt::format("{} more elsewhere, not reported", result.findings_left_out));
  }
  if (!suppressed.empty()) parts.push_back("suppressed:" + counts_text(suppressed));
  return parts.empty() ? "" : fmt::format("{}\n", fmt::join(parts, "; "));
}

std::string mismatch_summary(const puzzle_outcome& result) {
  if (result.expected.size() == 1) return "the only element differs";
  return fmt::format("{} of {} elements {}", result.mismatch_count, result.expected.size(),
                     result.mismatch_count == 1 ? "differs" : "differ");
}

std::string wrong_result_text(const puzzle_outcome& result) {
  std::string text = mismatch_summary(result);
  if (result.first_mismatches.size() < result.mismatch_count)
    text += fmt::format("; the first {}:", result.first_mismatches.size());
  return text + "\n" + mismatch_table(result) + never_written_text(result);
}

std::string_view verdict_words(verdict result) {
  switch (result) {
    case verdict::passed:
      return "passed";
    case verdict::wrong_result:
      return "wrong result";
    case verdict::broken_rule:
      break;
  }
  return "broken rule";
}

const symbolized_finding* first_reported(const outcome& result) {
  const auto first = std::find_if(result.findings.begin(), result.findings.end(),
                                  [](const symbolized_finding& each) { return !each.suppressed; });
  return first == result.findings.end() ? nullptr : &*first;
}

std::string passed_hidden_text(const std::vector<hidden_inputs>& passed) {
  if (passed.empty()) return {};
  std::size_t count = 0;
  std::vector<std::string> sizes;
  for (const hidden_inputs& each : passed) {
    count += each.count;
    sizes.push_back(fmt::format("with {} lanes", each.warp_size));
  }
  if (sizes.size() > 1) sizes.front() = fmt::format("with {}", passed.front().warp_size);
  return fmt::format("right on {} inputs that you have not seen, {}", count, fmt::join(sizes, " and "));
}

std::string findings_key(const outcome& result) {
  std::string text;
  auto out = std::back_inserter(text);
  for (const symbolized_finding& each : result.findings) {
    fmt::format_to(out, "{} {} {} {}", each.record.kind, each.record.severity, each.suppressed.has_value(),
                   rule_text(each));
    for (const warpz_lane_group& group : groups_of(each.record))
      fmt::format_to(out, " {}:{}", bounded(group.place.file), group.place.line);
    for (const source_line& frame : each.stack) fmt::format_to(out, " {}:{}", frame.file, frame.line);
    for (const related_line& line : each.related) fmt::format_to(out, " {} {}:{}", line.event, line.file, line.line);
    fmt::format_to(out, " {}\n", each.memory ? each.memory->name : "");
  }
  return text;
}

std::string findings_text(const outcome& result, const text_style& style) {
  if (result.findings.empty() && result.findings_left_out == 0) return "the kernel was stopped\n";
  std::string text;
  std::string last_fix;
  for (const symbolized_finding& each : result.findings) {
    if (each.suppressed) continue;
    if (!text.empty()) text += each.record.severity == WARPZ_WARNING ? "warning: " : "also: ";
    text += finding_text(each, style);
    const std::string fix = fix_text(each);
    if (!fix.empty() && fix != last_fix) text += advice_text(fix, style.columns);
    last_fix = fix;
  }
  return text + count_text(result);
}

std::string file_of_first(const user_program_outcome& result) {
  const symbolized_finding* const first = first_reported(result);
  if (first != nullptr) {
    const auto known = std::find_if(first->places.begin(), first->places.end(),
                                    [](const source_line& each) { return !each.file.empty(); });
    if (known != first->places.end()) return known->file;
  }
  return result.files.front();
}

std::vector<std::string> printable_files(const user_program_outcome& result) {
  std::vector<std::string> files;
  for (const std::string& each : result.files) files.push_back(printable(each));
  return files;
}

std::string signal_text(const user_program_outcome& result) {
  if (result.signal == 0) return {};
  return fmt::format("{} was ended by {} ({}), outside of any kernel", printable(result.files.front()),
                     signal_name(result.signal), strsignal(static_cast<int>(result.signal)));
}

/// The inputs of a wrong result; of many, those around the first element that differs, where each has its input.
std::string input_text(const puzzle_outcome& result) {
  constexpr std::size_t max_shown_inputs = 64, shown_around = 8, most_without_window = 24;
  const std::size_t size = result.inputs.size();
  if (size == 0) return {};
  std::size_t begin = 0, end = std::min(max_shown_inputs, size);
  std::string text = "  input: [";
  if (size > most_without_window && size == result.expected.size() && !result.first_mismatches.empty()) {
    const std::size_t first = result.first_mismatches.front().index;
    begin = first - std::min(first, shown_around);
    end = std::min(first + shown_around + 1, size);
    text = fmt::format("  input, elements {} to {} of {}: [", begin, end - 1, size);
  }
  for (const float each : result.inputs.all().subspan(begin, end - begin)) {
    text += (text.back() == '[' ? "" : ", ") + number_text(each);
  }
  if (begin == 0 && end == max_shown_inputs && size > end) text += fmt::format(", ... {} in all", size);
  return text + "]\n";
}

/// What was judged, where it is not the input that the user asked for.
std::string earlier_text(const puzzle_outcome& result) {
  switch (result.judged) {
    case case_kind::hidden:
      if (result.right_with != 0)
        return fmt::format("right with {} lanes, wrong with {}: ", result.right_with, result.warp_size);
      if (result.launches != 1)
        return fmt::format("right at the first launch, wrong at launch {}, on {} number{}: ", result.launches,
                           result.size, result.size == 1 ? "" : "s");
      return fmt::format("right on the documented input, but not on another one, of {} number{}: ", result.size,
                         result.size == 1 ? "" : "s");
    case case_kind::exact:
      return "right but for rounding, and wrong on whole numbers, whose sums do not round: ";
    case case_kind::asked:
      break;
  }
  return "";
}

std::string result_text(const puzzle_outcome& result) {
  std::string text = earlier_text(result);
  if (result.result != verdict::wrong_result) return text;
  text += wrong_result_text(result) + input_text(result);
  if (result.judged == case_kind::hidden && result.launches != 1)
    text += "  In __device__ variables a launch finds what the one before has left.\n";
  return text;
}

std::string details_text(const puzzle_outcome& result, const text_style& style) {
  std::string text = result_text(result);
  if (result.result != verdict::wrong_result) return text + findings_text(result, style);
  if (result.findings.empty() && result.findings_left_out == 0) return text;
  if (const symbolized_finding* const first = first_reported(result))
    text += first->record.severity == WARPZ_WARNING ? "warning: " : "also: ";
  return text + findings_text(result, style);
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "report/finding_words.hpp"
#include "text/number.hpp"

namespace warpz {
namespace {

constexpr std::size_t columns = 6;
using row = std::array<std::string, columns>;

row cells(const mismatch& of) {
  return {fmt::format("{}", of.index),
          of.placed ? fmt::format("{}", of.block) : "-",
          of.placed ? fmt::format("{}", of.warp) : "-",
          of.placed ? fmt::format("{}", of.lane) : "-",
          never_written(of.output) ? "never written" : number_text(of.output),
          number_text(of.expected)};
}

/// Right-aligned columns with two blanks between them.
std::string mismatch_table(const outcome& of) {
  std::vector<row> rows{{"index", "block", "warp", "lane", "output", "expected"}};
  for (const mismatch& each : of.first_mismatches) rows.push_back(cells(each));
  std::array<std::size_t, columns> widths{};
  for (const row& each : rows) {
    for (std::size_t i = 0; i < columns; ++i) widths[i] = std::max(widths[i], each[i].size());
  }
  std::string text;
  for (const row& each : rows) {
    for (std::size_t i = 0; i < columns; ++i) fmt::format_to(std::back_inserter(text), "  {:>{}}", each[i], widths[i]);
    text += '\n';
  }
  return text;
}

std::string wrong_result_text(const outcome& of) {
  std::string text = mismatch_summary(of);
  if (of.first_mismatches.size() < of.mismatch_count)
    text += fmt::format("; the first {}:", of.first_mismatches.size());
  return text + "\n" + mismatch_table(of);
}

std::string findings_text(const outcome& of) {
  if (of.findings.empty()) return "the kernel was stopped\n";
  std::string text;
  std::string_view last_mending;
  for (std::size_t i = 0; i < of.findings.size(); ++i) {
    if (i != 0) text += "also: ";
    text += finding_text(of.findings[i]);
    const std::string_view mend = mending(of.findings[i].record);
    if (!mend.empty() && mend != last_mending) text += fmt::format("  {}\n", mend);
    last_mending = mend;
  }
  return text;
}

}  // namespace

std::string mismatch_summary(const outcome& of) {
  return fmt::format("{} of {} elements {}", of.mismatch_count, of.expected.size(),
                     of.mismatch_count == 1 ? "differs" : "differ");
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

std::string details_text(const outcome& of) {
  return of.result == verdict::wrong_result ? wrong_result_text(of) : findings_text(of);
}

}  // namespace warpz

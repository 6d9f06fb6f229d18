// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/finding_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "findings/kinds.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Further pairs of lines that are told.
constexpr std::size_t max_likewise = 4;

bool is_same_memory(const symbolized_finding& a, const symbolized_finding& b) {
  if (!a.memory || !b.memory) return !a.memory && !b.memory && a.record.memory == b.record.memory;
  return a.memory->name == b.memory->name;
}

/// Of a race between some pairs of lanes, what a shuffle passes makes it a warning.
bool is_of_forwarded_read(const warpz_finding& race) { return race.pattern == WARPZ_RACE_FORWARDED_READ; }

bool is_same_severity(const warpz_finding& a, const warpz_finding& b) {
  return a.severity == b.severity || is_of_forwarded_read(a) != is_of_forwarded_read(b);
}

}  // namespace

finding_group::finding_group(symbolized_finding first)
    : first_(std::move(first)), lines_(lines_of(first_)), line_sets_{lines_} {}

/// Of the accesses, or of the allocation that leaks; empty where they are not all known.
std::set<finding_group::line> finding_group::lines_of(const symbolized_finding& finding) {
  std::set<line> lines;
  for (const source_line& each : finding.places) {
    if (each.line == 0) return {};
    lines.emplace(each.file, each.line);
  }
  if (kind_of(finding.record.kind).cause == shared_cause::same_allocation) {
    for (const related_line& each : finding.related) lines.emplace(each.file, each.line);
  }
  return lines;
}

bool finding_group::has_cause_of(const symbolized_finding& other, const std::set<line>& lines) const {
  const warpz_finding &one = first_.record, &two = other.record;
  if (one.kind != two.kind || !is_same_severity(one, two) || lines.empty()) return false;
  if (bounded(one.kernel) != bounded(two.kernel) || !is_same_memory(first_, other)) return false;
  switch (kind_of(one.kind).cause) {
    case shared_cause::common_line:
      return std::any_of(lines.begin(), lines.end(), [&](const line& each) { return lines_.contains(each); });
    case shared_cause::same_lines:
    case shared_cause::same_allocation:
      return lines == line_sets_.front();
    case shared_cause::none:
      break;
  }
  return false;
}

bool finding_group::merge(const symbolized_finding& other) {
  const std::set<line> lines = lines_of(other);
  if (!has_cause_of(other, lines)) return false;
  const std::uint32_t repeats = 1 + first_.record.repeats + other.record.repeats;
  // An error says more than a warning.
  if (first_.record.severity > other.record.severity) {
    const std::uint32_t relation = first_.record.relation;
    first_ = other;
    first_.record.relation = std::max(first_.record.relation, relation);
    std::erase(line_sets_, lines);
    line_sets_.insert(line_sets_.begin(), lines);
  }
  first_.record.repeats = repeats;
  first_.record.relation = std::max(first_.record.relation, other.record.relation);
  if (kind_of(first_.record.kind).cause == shared_cause::same_allocation) first_.record.length += other.record.length;
  lines_.insert(lines.begin(), lines.end());
  if (std::find(line_sets_.begin(), line_sets_.end(), lines) == line_sets_.end()) line_sets_.push_back(lines);
  return true;
}

symbolized_finding finding_group::take() {
  const std::size_t shown = std::min(line_sets_.size(), 1 + max_likewise);
  for (std::size_t i = 1; i < shown; ++i) {
    const line &one = *line_sets_[i].begin(), &other = *line_sets_[i].rbegin();
    const std::string file = printable(one.first);
    std::string text = fmt::format("at {}:{}", file, one.second);
    if (one != other) {
      text = one.first == other.first
                 ? fmt::format("between {}:{} and {}", file, one.second, other.second)
                 : fmt::format("between {}:{} and {}:{}", file, one.second, printable(other.first), other.second);
    }
    first_.likewise.push_back("likewise " + text);
  }
  if (const std::size_t more = line_sets_.size() - shown; more != 0)
    first_.likewise.push_back(fmt::format("likewise between {} more pair{} of lines", more, more == 1 ? "" : "s"));
  return std::move(first_);
}

}  // namespace warpz

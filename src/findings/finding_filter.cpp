// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/finding_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "abi/finding_identity.hpp"
#include "findings/kinds.hpp"
#include "findings/symbols.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// So many further pairs of lines are reported.
constexpr std::size_t max_likewise = 4;

bool is_same_memory(const symbolized_finding& a, const symbolized_finding& b) {
  if (!a.memory || !b.memory) return !a.memory && !b.memory && a.record.memory == b.record.memory;
  return a.memory->name == b.memory->name;
}

/// A race whose value a shuffle has forwarded is a warning; between other pairs of lanes the same race may be an error.
bool is_of_forwarded_read(const warpz_finding& race) { return race.pattern == WARPZ_RACE_FORWARDED_READ; }

bool is_same_severity(const warpz_finding& a, const warpz_finding& b) {
  return a.severity == b.severity || is_of_forwarded_read(a) != is_of_forwarded_read(b);
}

/// Whether it is an undefined value that no line of the source shows: a reader could not look it up.
bool has_no_line(const symbolized_finding& finding) {
  return finding.record.kind == WARPZ_UNDEFINED_LANE_VALUE && why_no_lines().empty() &&
         std::all_of(finding.places.begin(), finding.places.end(), [](const auto& each) { return each.line == 0; });
}

/// The limit for findings of other orders and blocks than the first run's.
constexpr std::ptrdiff_t max_findings = 32;

}  // namespace

finding_group::finding_group(symbolized_finding first)
    : first_(std::move(first)), lines_(lines_of(first_)), line_sets_{lines_} {
  add_pair(first_);
}

void finding_group::add_pair(const symbolized_finding& race) {
  if (race.record.kind == WARPZ_DATA_RACE && race.places.size() == 2)
    pairs_.emplace_back(race.places[0], race.places[1]);
}

/// The lines of the accesses, or of the allocation that leaks; empty if they are not all known.
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
  add_pair(other);
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
  first_.pairs = std::move(pairs_);
  return std::move(first_);
}

void add_unless_known(std::vector<symbolized_finding>& found, const symbolized_finding& one) {
  const finding_identity identity = identity_of(one.record, one.module_base);
  const auto is_same = [&](const symbolized_finding& each) {
    return identity_of(each.record, each.module_base) == identity;
  };
  if (std::any_of(found.begin(), found.end(), is_same)) return;
  const auto of_other_orders =
      std::count_if(found.begin(), found.end(), [](const auto& each) { return each.schedule != 0; });
  if (of_other_orders < max_findings) found.push_back(one);
}

void add_in_order(std::vector<symbolized_finding>& findings, symbolized_finding finding) {
  auto behind = findings.end();
  if (finding.record.severity != WARPZ_WARNING) {
    behind = std::find_if(findings.begin(), findings.end(),
                          [](const symbolized_finding& each) { return each.record.severity == WARPZ_WARNING; });
  }
  findings.insert(behind, std::move(finding));
}

void finding_filter::add(symbolized_finding finding, const circumstance& origin) {
  if (has_no_line(finding)) return;
  if (choice_.accepted != nullptr && !origin.ended_run) finding.suppressed = choice_.accepted->match(finding);
  finding.shown_on_purpose = origin.on_purpose;
  fail = fail || (finding.record.severity != WARPZ_WARNING && !origin.on_purpose && !finding.suppressed);
  if (!origin.ended_run && merge(finding)) return;
  if (!finding.suppressed && !origin.ended_run && reported_ >= choice_.max_reported) {
    left_out += 1 + finding.record.repeats;
    return;
  }
  if (!finding.suppressed) ++reported_;
  all_.emplace_back(std::move(finding));
}

void finding_filter::add(symbolized_finding finding) {
  if (choice_.accepted != nullptr) finding.suppressed = choice_.accepted->match(finding);
  fail = fail || !finding.suppressed;
  all_.emplace_back(std::move(finding));
}

bool finding_filter::merge(const symbolized_finding& finding) {
  return std::any_of(all_.begin(), all_.end(), [&](finding_group& each) {
    return each.first().suppressed.has_value() == finding.suppressed.has_value() &&
           each.first().shown_on_purpose == finding.shown_on_purpose && each.merge(finding);
  });
}

void finding_filter::leave_out(std::uint32_t more) {
  left_out += more;
  fail = fail || more != 0;
}

std::vector<symbolized_finding> finding_filter::take() {
  std::vector<symbolized_finding> findings;
  for (finding_group& each : all_) add_in_order(findings, each.take());
  all_.clear();
  return findings;
}

}  // namespace warpz

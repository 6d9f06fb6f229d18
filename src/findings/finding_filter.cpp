// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/finding_filter.hpp"

#include <algorithm>
#include <utility>

#include "findings/symbols.hpp"

namespace warpz {
namespace {

/// Of an undefined value: what nobody can look up is no proof of one.
bool has_no_line(const symbolized_finding& finding) {
  return finding.record.kind == WARPZ_UNDEFINED_LANE_VALUE && can_find_lines() &&
         std::all_of(finding.places.begin(), finding.places.end(), [](const auto& each) { return each.line == 0; });
}

}  // namespace

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
  finding.schedule = origin.schedule;
  finding.block_threads = origin.block_threads;
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

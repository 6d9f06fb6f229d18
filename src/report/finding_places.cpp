// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/finding_places.hpp"

#include <fmt/format.h>

#include "findings/kinds.hpp"
#include "report/finding_words.hpp"
#include "report/schedule_words.hpp"
#include "text/printable.hpp"

namespace warpz {

std::vector<finding_place> places_of(const symbolized_finding& finding) {
  std::vector<finding_place> all;
  for (const warpz_lane_group& group : groups_of(finding.record)) {
    const std::string file = printable(bounded(group.place.file));
    if (file.empty() || group.place.line == 0) continue;
    all.push_back({file, group.place.line, group_text(group, !all.empty())});
  }
  for (const source_line& frame : finding.stack) {
    if (frame.file.empty() || frame.line == 0) continue;
    all.push_back({frame.file, frame.line, frame.function.empty() ? "called from here" : printable(frame.function)});
  }
  for (const related_line& each : finding.related) all.push_back({each.file, each.line, each.event + " here"});
  if (finding.contrast) {
    for (const source_line& line : finding.contrast->hard_coded) {
      all.push_back({line.file, line.line, fmt::format("written for {} lanes", finding.contrast->right)});
    }
  }
  return all;
}

std::vector<finding_place> schedule_places_of(const symbolized_finding& finding) {
  std::vector<finding_place> all;
  if (!finding.shrunk) return all;
  for (const schedule_decision& each : finding.shrunk->decisions) {
    const auto add = [&](const schedule_party& party, std::string_view does) {
      if (party.place.file.empty() || party.place.line == 0) return;
      all.push_back({party.place.file, party.place.line, fmt::format("{} {}", party_text(each, party), does)});
    };
    add(each.first, "goes first");
    add(each.held, "comes behind it");
  }
  return all;
}

std::string place_and_kind(const symbolized_finding& finding, const std::string& file) {
  const std::vector<finding_place> places = places_of(finding);
  const std::string place =
      places.empty() ? printable(file) : fmt::format("{}:{}", printable(places.front().file), places.front().line);
  return fmt::format("{}: {}{}", place, kind_of(finding.record.kind).noun,
                     finding.record.severity == WARPZ_WARNING ? " (warning)" : "");
}

std::string places_text(const outcome& result, const std::string& file) {
  std::string text;
  for (const symbolized_finding& each : result.findings) {
    if (!each.suppressed && !each.shown_on_purpose) text += place_and_kind(each, file) + "\n";
  }
  return text;
}

}  // namespace warpz

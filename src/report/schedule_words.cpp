// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/schedule_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "report/details.hpp"
#include "report/finding_words.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::size_t max_told = 3;

bool has_line(const schedule_party& party) { return !party.place.file.empty() && party.place.line != 0; }

/// " at mine.hip:12".
std::string at_line(const schedule_party& party) {
  return has_line(party) ? fmt::format(" at {}:{}", printable(party.place.file), party.place.line) : "";
}

bool has_begun(const schedule_party& party) { return party.group.state != WARPZ_LANE_READY; }

/// "lane 3 of warp 1 goes before lane 0 of warp 0 at mine.hip:12".
std::string decision_text(const schedule_decision& one) {
  const std::string first = party_text(one, one.first), held = party_text(one, one.held);
  if (one.decided.of_blocks != 0) return fmt::format("{} runs before {}", first, held);
  const std::string first_line = at_line(one.first), held_line = at_line(one.held);
  if (!has_begun(one.held)) return fmt::format("{}{} goes before {} begins", first, first_line, held);
  if (first_line == held_line) return fmt::format("{} goes before {}{}", first, held, held_line);
  if (has_line(one.held) && one.first.place.file == one.held.place.file)
    return fmt::format("{}{} goes before {} at line {}", first, first_line, held, one.held.place.line);
  return fmt::format("{}{} goes before {}{}", first, first_line, held, held_line);
}

/// "in launch 2, block 0, ".
std::string scope_text(const schedule_decision& one) {
  std::string text = one.decided.launch > 1 ? fmt::format("launch {}, ", one.decided.launch) : "";
  if (one.decided.of_blocks == 0) text += fmt::format("block {}, ", block_text(one.first.group.block));
  return text.empty() ? text : "in " + text;
}

std::string share_text(const shrunk_schedule& shrunk) {
  return shrunk.count == 1
             ? fmt::format("1 of this order's {} decisions is enough", shrunk.of_order)
             : fmt::format("{} of this order's {} decisions: each of them is needed", shrunk.count, shrunk.of_order);
}

}  // namespace

std::string party_text(const schedule_decision& decided, const schedule_party& party) {
  if (decided.decided.of_blocks != 0) return fmt::format("block {}", block_text(party.group.block));
  return fmt::format("{} of warp {}", lanes_text(party.group.lanes), party.group.warp);
}

std::vector<std::string> schedule_lines(const symbolized_finding& finding) {
  if (!finding.shrunk) return {};
  const shrunk_schedule& shrunk = *finding.shrunk;
  using end = shrunk_schedule::end;
  if (shrunk.ended == end::not_shown) return {"the order was not shrunk: who goes before whom does not show it alone"};
  if (shrunk.ended == end::too_long)
    return {fmt::format("the order was not shrunk: it has {} decisions", shrunk.of_order)};
  if (shrunk.decisions.empty()) return {"the order was not shrunk: there was no time left"};

  const std::string_view when = finding.record.kind == WARPZ_SCHEDULE_DEPENDENCE ? "wrong when" : "found when";
  std::vector<std::string> lines;
  if (shrunk.count == 1) {
    const schedule_decision& only = shrunk.decisions.front();
    lines.push_back(fmt::format("{} {}{}", when, scope_text(only), decision_text(only)));
  } else {
    lines.push_back(fmt::format("{} all of these hold:", when));
    const std::size_t told = std::min(max_told, shrunk.decisions.size());
    for (std::size_t i = 0; i < told; ++i) {
      const schedule_decision& each = shrunk.decisions[i];
      lines.push_back(fmt::format("  {}{}", scope_text(each), decision_text(each)));
    }
    if (shrunk.count > told) lines.push_back(fmt::format("  and {} more", shrunk.count - told));
  }
  lines.push_back(shrunk.ended == end::smallest ? share_text(shrunk)
                                                : fmt::format("{} of this order's {} decisions; there may be fewer: "
                                                              "shrinking was cut short after {} runs",
                                                              shrunk.count, shrunk.of_order, shrunk.replays));
  return lines;
}

}  // namespace warpz

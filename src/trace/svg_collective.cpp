// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "trace/svg_steps.hpp"

namespace warpz {
namespace {

constexpr double arrow_room = 42;

unsigned distance_of(unsigned one, unsigned other) { return one > other ? one - other : other - one; }

/// The farther arrows go, the higher the band.
double room_for(const trace_step& step) {
  unsigned farthest = 0;
  for (unsigned lane = 0; lane < step.lanes.size(); ++lane)
    farthest = std::max(farthest, distance_of(lane, step.lanes[lane].source.value_or(lane)));
  return farthest == 0 ? 18 : arrow_room + 1.5 * std::min(farthest, 32U);
}

void draw_movement(svg_drawing& on, const trace_step& step) {
  const double top = on.y(), height = room_for(step);
  std::vector<unsigned> own;
  for_each_lane(on.present(), [&](unsigned lane) {
    if (lane >= step.lanes.size() || !step.lanes[lane].source) return;
    const unsigned source = *step.lanes[lane].source;
    // A value of its own goes straight down and is no arrow.
    if (source == lane) return own.push_back(lane);
    on.arrow(on.x_of(source), on.x_of(lane), top, height, distance_of(source, lane),
             fmt::format(" data-from=\"{}\" data-to=\"{}\"", source, lane));
  });
  on.straight_lines(own, top, height);
  on.move_down(height);
}

/// The bits of the vote, which all lanes get.
void draw_vote(svg_drawing& on, const trace_step& step) {
  const std::uint64_t lanes = step.lanes_in(lane_state::active);
  on.bus(step, on.y() + 12);
  on.move_down(24);
  const std::uint64_t result = lanes == 0 ? 0 : step.lanes[static_cast<unsigned>(std::countr_zero(lanes))].after.bits;
  on.set_upright();
  on.row_label(on.y() + 12, fmt::format("all got {:#x}", result));
  on.begin_row("out");
  for_each_lane(on.present(), [&](unsigned lane) {
    const bool is_yes = (result >> lane & 1) != 0;
    on.box(on.x_of(lane), is_yes ? "1" : "0", is_yes ? "yes" : "");
  });
  on.end_row();
}

/// A line for each set of lanes that have the same value, and the result where all get the same.
void draw_match(svg_drawing& on, const trace_step& step) {
  std::map<std::uint64_t, std::uint64_t> sets;
  std::set<std::uint64_t> results;
  for_each_lane(step.lanes_in(lane_state::active) & on.present(), [&](unsigned lane) {
    sets[step.lanes[lane].before.bits] |= std::uint64_t{1} << lane;
    results.insert(step.lanes[lane].after.bits);
  });
  on.move_down(8);
  on.use(sign::same_value);
  if (results.size() == 1) on.row_label(on.y() + 4, *results.begin() == 0 ? "got no lanes" : "got all lanes");
  for (const auto& [value, lanes] : sets) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes)),
               last = 63 - static_cast<unsigned>(std::countl_zero(lanes));
    std::string dots;
    for_each_lane(lanes, [&](unsigned lane) {
      dots += fmt::format("M{:g} {:g}a3 3 0 1 0 6 0a3 3 0 1 0-6 0", tenth(on.x_of(lane) - 3), tenth(on.y()));
    });
    on.add("<path class=\"set\" d=\"M{:g} {:g}H{:g}\"/><path class=\"dot\" d=\"{}\"/>\n", tenth(on.x_of(first)),
           tenth(on.y()), tenth(on.x_of(last)), dots);
    on.move_down(9);
  }
}

/// Which lanes' values each lane's value has joined.
void draw_cover(svg_drawing& on, const trace_step& step, const std::vector<scan_cover::lane_range>& joined) {
  on.move_down(5);
  on.use(sign::cover);
  on.row_label(on.y() + 6, "joined so far");
  double y = on.y();
  std::string lines;
  for_each_lane(on.present() & step.lanes_in(lane_state::active), [&](unsigned lane) {
    if (joined[lane]) {
      const auto [first, last] = *joined[lane];
      lines += fmt::format("M{:g} {:g}H{:g}", tenth(on.x_of(first) - 3), tenth(y), tenth(on.x_of(last) + 3));
    }
    y += 1.8;
  });
  on.add("<path class=\"cover\" d=\"{}\"/>\n", lines);
  on.move_to(y + 3);
}

}  // namespace

void draw_collective(svg_drawing& on, const trace_step& step, const std::vector<scan_cover::lane_range>* joined) {
  if (step.movement == WARPZ_MEETS) {
    on.bus(step, on.y() + 10);
    on.move_down(20);
    return;
  }
  on.lane_row("gave", step, &lane_part::before, "in");
  switch (step.movement) {
    case WARPZ_VOTES:
      return draw_vote(on, step);
    case WARPZ_MATCHES:
      return draw_match(on, step);
    case WARPZ_COMBINES:
    case WARPZ_DECIDES:
      on.bus(step, on.y() + 14);
      on.move_down(28);
      break;
    default:
      draw_movement(on, step);
  }
  on.lane_row("got", step, &lane_part::after, "out");
  if (step.join) {
    on.move_down(svg_drawing::line);
    on.row_label(on.y(), fmt::format("next: {}", step.join->expression));
    on.move_down(2);
  }
  if (joined != nullptr) draw_cover(on, step, *joined);
}

}  // namespace warpz

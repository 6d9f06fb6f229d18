// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/mark_findings.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "findings/kinds.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

std::span<const warpz_lane_group> groups_in(const warpz_finding& record) {
  return std::span(record.groups).first(std::min<std::size_t>(record.group_count, WARPZ_FINDING_GROUPS));
}

bool is_of_block(const warpz_lane_group& group, const trace& of) {
  return std::equal(std::begin(group.block), std::end(group.block), std::begin(of.block)) && group.warp < of.warps();
}

bool takes_undefined(const trace_step& step, std::uint64_t lanes) {
  bool does = false;
  for_each_lane(lanes & step.lanes_in(lane_state::active),
                [&](unsigned lane) { does = does || step.lanes[lane].takes_undefined; });
  return does;
}

/// Whether lanes in the group's state may be in such a step.
bool fits(const trace_step& step, const warpz_lane_group& group) {
  switch (group.state) {
    case WARPZ_LANE_READ:
      return step.kind == step_kind::load || step.is_change();
    case WARPZ_LANE_WROTE:
      return step.kind == step_kind::store || step.is_change();
    case WARPZ_LANE_ATOMIC:
      return step.kind == step_kind::atomic;
    case WARPZ_LANE_WAITING:
      return step.never_completes;
    case WARPZ_LANE_TOOK:
      return takes_undefined(step, group.lanes);
    case WARPZ_LANE_RUNNING:
    case WARPZ_LANE_YIELDED:
      return true;
    default:
      return false;
  }
}

bool accesses(const trace_step& step, std::uint64_t lanes, std::int64_t index) {
  bool does = false;
  for_each_lane(lanes, [&](unsigned lane) { does = does || step.lanes[lane].index == index; });
  return does;
}

/// The step in which a group did what the finding tells; a lane that runs on has come as far as its last one.
std::optional<std::size_t> step_of(const trace& in, const warpz_lane_group& group, const symbolized_finding& found) {
  if (!is_of_block(group, in) || group.place.line == 0) return {};
  const std::string file = printable(bounded(group.place.file));
  const bool is_running = group.state == WARPZ_LANE_RUNNING || group.state == WARPZ_LANE_YIELDED;
  std::optional<std::size_t> step;
  bool is_same_element = false;
  for (std::size_t i = 0; i < in.steps.size(); ++i) {
    const trace_step& each = in.steps[i];
    const std::uint64_t lanes = each.lanes_in(lane_state::active) & group.lanes;
    if (each.warp != group.warp || each.line != group.place.line || each.file != file || lanes == 0 ||
        !fits(each, group))
      continue;
    const bool is_it = found.memory && each.is_access() && accesses(each, lanes, found.memory->index);
    if (step && !is_running && (is_same_element || !is_it)) continue;
    step = i;
    is_same_element = is_it;
  }
  return step;
}

/// Lanes of a warp that wait for others which never come.
trace_step waiting_step(const trace& in, const warpz_finding& record, const warpz_lane_group& group) {
  trace_step step;
  step.kind = record.kind == WARPZ_DIVERGED_BARRIER ? step_kind::barrier : step_kind::collective;
  step.movement = WARPZ_MEETS;
  step.warp = group.warp;
  step.operation = printable(bounded(group.place.operation));
  step.file = printable(bounded(group.place.file));
  step.line = group.place.line;
  step.never_completes = true;
  const std::uint64_t present = in.present_in(group.warp);
  step.mask = (group.place.mask & present) == present ? 0 : group.place.mask;
  step.lanes.resize(in.warp_size);
  for_each_lane(present, [&](unsigned lane) { step.lanes[lane].state = lane_state::inactive; });
  for (const warpz_lane_group& each : groups_in(record)) {
    if (!is_of_block(each, in) || each.warp != group.warp) continue;
    const lane_state state = &each == &group                      ? lane_state::active
                             : each.state == WARPZ_LANE_EXITED    ? lane_state::returned
                             : each.state == WARPZ_LANE_NOT_NAMED ? lane_state::unnamed
                                                                  : lane_state::inactive;
    for_each_lane(each.lanes & present, [&](unsigned lane) { step.lanes[lane].state = state; });
  }
  return step;
}

void add_waiting_steps(trace& to, const warpz_finding& record) {
  if (record.kind != WARPZ_DIVERGED_COLLECTIVE && record.kind != WARPZ_DIVERGED_BARRIER) return;
  for (const warpz_lane_group& each : groups_in(record)) {
    if (each.state == WARPZ_LANE_WAITING && is_of_block(each, to) && each.place.line != 0)
      to.steps.push_back(waiting_step(to, record, each));
  }
}

/// Marks the elements that lanes of both steps access.
void mark_races(trace& to, std::size_t one, std::uint64_t one_lanes, std::size_t other, std::uint64_t other_lanes) {
  const trace_step& other_step = to.steps[other];
  std::map<std::int64_t, std::uint64_t> others;  // the lanes of the other step by their elements
  for_each_lane(other_lanes & other_step.lanes_in(lane_state::active),
                [&](unsigned lane) { others[other_step.lanes[lane].index] |= std::uint64_t{1} << lane; });
  trace_step& step = to.steps[one];
  std::map<std::int64_t, racing_element> racing;
  for (const racing_element& each : step.races) racing.emplace(each.index, each);
  for_each_lane(one_lanes & step.lanes_in(lane_state::active), [&](unsigned lane) {
    const std::int64_t index = step.lanes[lane].index;
    const auto known = others.find(index);
    if (known == others.end()) return;
    const bool is_same_warp = step.warp == other_step.warp;
    const std::uint64_t rest = known->second & (is_same_warp ? ~(std::uint64_t{1} << lane) : ~std::uint64_t{0});
    if (rest == 0) return;
    const auto first = static_cast<unsigned>(__builtin_ctzll(rest));
    racing.emplace(index, racing_element{index, other_step.warp * to.warp_size + first, other});
  });
  step.races.clear();
  for (const auto& [index, each] : racing) step.races.push_back(each);
}

}  // namespace

bool is_in(const trace& of, const symbolized_finding& found) {
  return found.schedule == of.schedule && found.block_threads == 0 && found.record.launch == of.launch;
}

void mark_wrong_element(trace& to, std::string_view output, std::size_t index) {
  for (std::size_t i = to.steps.size(); i-- > 0;) {
    trace_step& step = to.steps[i];
    if (step.kind != step_kind::store || step.memory != output || step.is_shared) continue;
    std::uint64_t lanes = 0;
    for_each_lane(step.lanes_in(lane_state::active), [&](unsigned lane) {
      if (step.lanes[lane].index == static_cast<std::int64_t>(index)) lanes |= std::uint64_t{1} << lane;
    });
    if (lanes == 0) continue;
    step.finding = "wrong result";
    step.found_lanes |= lanes;
    return;
  }
}

void mark_findings(trace& to, std::span<const symbolized_finding> found) {
  for (const symbolized_finding& each : found) {
    if (!is_in(to, each)) continue;
    add_waiting_steps(to, each.record);
    const auto groups = groups_in(each.record);
    std::vector<std::optional<std::size_t>> steps;
    for (const warpz_lane_group& group : groups) {
      steps.push_back(step_of(to, group, each));
      if (!steps.back()) continue;
      trace_step& step = to.steps[*steps.back()];
      if (step.finding.empty()) step.finding = kind_of(each.record.kind).noun;
      step.found_lanes |= group.lanes & step.lanes_in(lane_state::active);
    }
    if (each.record.kind != WARPZ_DATA_RACE || groups.size() != 2 || !steps[0] || !steps[1]) continue;
    // The finding names the first two lanes, and counts the others at these places.
    const std::uint64_t others = each.record.repeats != 0 ? ~std::uint64_t{0} : 0;
    mark_races(to, *steps[0], groups[0].lanes | others, *steps[1], groups[1].lanes | others);
    mark_races(to, *steps[1], groups[1].lanes | others, *steps[0], groups[0].lanes | others);
  }
}

}  // namespace warpz

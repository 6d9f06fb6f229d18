// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/mark_findings.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "findings/kinds.hpp"
#include "findings/lane_groups.hpp"
#include "text/printable.hpp"
#include "trace/last_steps.hpp"

namespace warpz {
namespace {

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
    case WARPZ_LANE_TOOK:
      return takes_undefined(step, group.lanes);
    case WARPZ_LANE_RUNNING:
      return !step.is_access();
    case WARPZ_LANE_WAITING:
      // A lane may wait by looking at memory again and again.
      return !step.is_access() || step.kind == step_kind::atomic;
    default:
      return false;
  }
}

/// Of a buffer the finding may count structs, of which the step accesses a part.
bool accesses(const trace_step& step, std::uint64_t lanes, const symbolized_finding& found) {
  const bool is_buffer = found.record.memory == WARPZ_MEMORY_ALLOCATION;
  if (!is_buffer && step.memory != found.memory->name) return false;
  bool does = false;
  for_each_lane(lanes, [&](unsigned lane) {
    const lane_part& part = step.lanes[lane];
    does = does || (is_buffer ? part.offset == found.record.offset : part.index == found.memory->index);
  });
  return does;
}

/// The step in which a group did what the finding tells.
std::optional<std::size_t> step_of(const trace& in, const warpz_lane_group& group, const symbolized_finding& found) {
  if (!is_of_block(group, in) || group.place.line == 0) return {};
  const std::string file = printable(bounded(group.place.file));
  std::optional<std::size_t> step;
  bool is_same_element = false;
  for (std::size_t i = 0; i < in.steps.size(); ++i) {
    const trace_step& each = in.steps[i];
    const std::uint64_t lanes = each.lanes_in(lane_state::active) & group.lanes;
    if (each.warp != group.warp || each.line != group.place.line || each.file != file || lanes == 0 ||
        !fits(each, group))
      continue;
    const bool is_it = found.memory && each.is_access() && accesses(each, lanes, found);
    if (step && (is_same_element || !is_it)) continue;
    step = i;
    is_same_element = is_it;
  }
  return step;
}

/// Whether the lanes go on behind what was found. There may be no step of it: values are followed as far as they go,
/// which may be a branch that is not taken here; and arithmetic is no step.
bool goes_on(const warpz_finding& record) {
  switch (record.kind) {
    case WARPZ_UNDEFINED_LANE_VALUE:
    case WARPZ_MISUSED_OPERATION:
    case WARPZ_UNDEFINED_ARITHMETIC:
    case WARPZ_WAIT_WITHIN_WARP:
      return true;
    default:
      return record.severity == WARPZ_WARNING;
  }
}

/// What the lane does first behind the line of the last group, where its value comes from.
std::optional<std::size_t> next_step_of(const trace& in, std::span<const warpz_lane_group> groups) {
  const warpz_lane_group& from = groups.back();
  const std::string file = printable(bounded(from.place.file));
  for (std::size_t i = 0; i < in.steps.size(); ++i) {
    const trace_step& each = in.steps[i];
    const bool is_there = (each.lanes_in(lane_state::active) & groups.front().lanes) != 0;
    if (is_of_block(from, in) && each.warp == from.warp && is_there && each.file == file &&
        each.line >= from.place.line)
      return i;
  }
  return {};
}

/// Marks the elements that lanes of both steps access.
void mark_races(trace& run, std::size_t one, std::uint64_t one_lanes, std::size_t other, std::uint64_t other_lanes) {
  const trace_step& other_step = run.steps[other];
  std::map<std::int64_t, std::uint64_t> others;  // the lanes of the other step by their elements
  for_each_lane(other_lanes & other_step.lanes_in(lane_state::active),
                [&](unsigned lane) { others[other_step.lanes[lane].index] |= std::uint64_t{1} << lane; });
  trace_step& step = run.steps[one];
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
    racing.emplace(index, racing_element{index, other_step.warp * run.warp_size + first, other});
  });
  step.races.clear();
  for (const auto& [index, each] : racing) step.races.push_back(each);
}

}  // namespace

bool is_in(const trace& run, const symbolized_finding& found) {
  return found.schedule == run.schedule && found.block_threads == 0 && found.record.launch == run.launch;
}

std::optional<std::size_t> mark_wrong_element(trace& run, std::string_view output, const mismatch& wrong) {
  const auto mark = [](trace_step& step, std::string_view finding, std::uint64_t lanes) {
    if (step.finding.empty()) step.is_found_wrong = true;
    if (step.is_found_wrong) step.finding = finding;
    step.found_lanes |= lanes;
  };
  for (std::size_t i = run.steps.size(); i-- > 0;) {
    trace_step& step = run.steps[i];
    if (step.kind != step_kind::store || step.memory != output || step.is_shared) continue;
    std::uint64_t lanes = 0;
    for_each_lane(step.lanes_in(lane_state::active), [&](unsigned lane) {
      if (step.lanes[lane].index == static_cast<std::int64_t>(wrong.index)) lanes |= std::uint64_t{1} << lane;
    });
    if (lanes == 0) continue;
    mark(step, "wrong result", lanes);
    return i;
  }
  const bool is_of_block = wrong.placed && wrong.block == run.block[0] && wrong.warp < run.warps();
  if (!is_of_block || run.left_out != 0) return {};
  trace_step& step = returning_step(run, wrong.warp);
  mark(step, "element never written", std::uint64_t{1} << wrong.lane);
  return static_cast<std::size_t>(&step - run.steps.data());
}

void mark_findings(trace& run, std::span<const symbolized_finding> found, finding_words explained) {
  std::vector<explanation> explanations;
  for (const symbolized_finding& each : found) {
    if (!is_in(run, each)) continue;
    const auto groups = groups_of(each.record);
    std::vector<std::optional<std::size_t>> steps;
    for (const warpz_lane_group& group : groups) {
      steps.push_back(ends_here(each.record, group) ? add_last_step(run, each, group) : step_of(run, group, each));
    }
    if (std::none_of(steps.begin(), steps.end(), [](const auto& step) { return step.has_value(); }) &&
        !groups.empty()) {
      const bool has_next = goes_on(each.record) && run.left_out == 0;
      if (has_next) steps.front() = next_step_of(run, groups);
      if (!steps.front() && !(has_next && each.record.kind == WARPZ_UNDEFINED_LANE_VALUE))
        steps.front() = add_last_step(run, each, groups.front());
    }
    if (!each.suppressed) {
      explanation words = explained(each);
      for (std::size_t i = 0; i < steps.size(); ++i) {
        words.parties[i].step = steps[i];
        if (!steps[i] && !is_of_block(groups[i], run)) words.parties[i].words += ", in a block that is not shown";
      }
      explanations.push_back(std::move(words));
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i]) continue;
      trace_step& step = run.steps[*steps[i]];
      if (step.finding.empty() || step.is_found_wrong) step.finding = kind_of(each.record.kind).noun;
      step.is_found_wrong = false;
      step.found_lanes |= groups[i].lanes & step.lanes_in(lane_state::active);
    }
    if (each.record.kind != WARPZ_DATA_RACE || groups.size() != 2 || !steps[0] || !steps[1]) continue;
    // The finding names the first two lanes, and counts the others at these places.
    const std::uint64_t others = each.record.repeats != 0 ? ~std::uint64_t{0} : 0;
    mark_races(run, *steps[0], groups[0].lanes | others, *steps[1], groups[1].lanes | others);
    mark_races(run, *steps[1], groups[1].lanes | others, *steps[0], groups[0].lanes | others);
  }
  // Before the wrong element, which may be their consequence.
  run.explanations.insert(run.explanations.begin(), explanations.begin(), explanations.end());
}

}  // namespace warpz

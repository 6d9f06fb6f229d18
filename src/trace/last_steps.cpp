// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/last_steps.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "findings/kinds.hpp"
#include "findings/lane_groups.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

step_end end_of(const trace& run, const warpz_finding& record, const warpz_lane_group& group) {
  if (!ends_here(record, group) && run.left_out != 0) return step_end::unrecorded;
  if (group.state == WARPZ_LANE_WAITING) return step_end::waits;
  return record.kind == WARPZ_NO_PROGRESS ? step_end::runs_on : step_end::stops;
}

std::string operation_of(const warpz_finding& record, const warpz_lane_group& group) {
  if (!bounded(group.place.operation).empty()) return printable(bounded(group.place.operation));
  switch (group.state) {
    case WARPZ_LANE_READ:
      return "load";
    case WARPZ_LANE_WROTE:
      return "store";
    case WARPZ_LANE_ATOMIC:
      return "atomic";
    default:
      return record.kind == WARPZ_NO_PROGRESS ? "loop" : std::string(kind_of(record.kind).noun);
  }
}

trace_step step_of_warp(const trace& run, unsigned warp) {
  trace_step step;
  step.kind = step_kind::collective;
  step.movement = WARPZ_MEETS;
  step.warp = warp;
  step.lanes.resize(run.warp_size);
  for_each_lane(run.present_in(warp), [&](unsigned lane) { step.lanes[lane].state = lane_state::inactive; });
  return step;
}

}  // namespace

bool is_of_block(const warpz_lane_group& group, const trace& run) {
  return std::equal(std::begin(group.block), std::end(group.block), std::begin(run.block)) && group.warp < run.warps();
}

bool ends_here(const warpz_finding& record, const warpz_lane_group& group) {
  switch (group.state) {
    case WARPZ_LANE_EXITED:
    case WARPZ_LANE_READY:
    case WARPZ_LANE_ABSENT:
    case WARPZ_LANE_NOT_NAMED:
      return false;
    default:
      // Lanes may go on after a warning.
      return kind_of(record.kind).ends_kernel && record.severity != WARPZ_WARNING;
  }
}

std::optional<std::size_t> add_last_step(trace& run, const symbolized_finding& found, const warpz_lane_group& group) {
  if (!is_of_block(group, run)) return {};
  const warpz_finding& record = found.record;
  trace_step step = step_of_warp(run, group.warp);
  step.end = end_of(run, record, group);
  if (record.kind == WARPZ_DIVERGED_BARRIER) step.kind = step_kind::barrier;
  step.operation = operation_of(record, group);
  step.file = printable(bounded(group.place.file));
  step.line = group.place.line;
  // For a loop, only the stack is known.
  if (step.line == 0 && !found.stack.empty()) {
    step.file = printable(found.stack.front().file);
    step.line = found.stack.front().line;
  }
  const std::uint64_t present = run.present_in(group.warp);
  step.mask = (group.place.mask & present) == present ? 0 : group.place.mask;
  for (const warpz_lane_group& each : groups_of(record)) {
    if (!is_of_block(each, run) || each.warp != group.warp) continue;
    const lane_state state = &each == &group                      ? lane_state::active
                             : each.state == WARPZ_LANE_EXITED    ? lane_state::returned
                             : each.state == WARPZ_LANE_NOT_NAMED ? lane_state::unnamed
                                                                  : lane_state::inactive;
    for_each_lane(each.lanes & present, [&](unsigned lane) { step.lanes[lane].state = state; });
  }
  run.steps.push_back(std::move(step));
  return run.steps.size() - 1;
}

trace_step& returning_step(trace& run, unsigned warp) {
  for (trace_step& each : run.steps) {
    if (each.end == step_end::returns && each.warp == warp) return each;
  }
  trace_step step = step_of_warp(run, warp);
  step.operation = "return";
  step.end = step_end::returns;
  for_each_lane(run.present_in(warp), [&](unsigned lane) { step.lanes[lane].state = lane_state::active; });
  run.steps.push_back(std::move(step));
  return run.steps.back();
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/scan_cover.hpp"

#include <algorithm>
#include <span>

#include "trace/joins.hpp"

namespace warpz {
namespace {

using lane_range = scan_cover::lane_range;

/// The device library scans within rows of so many lanes before it joins them (warpz/warp/scan.hpp).
constexpr unsigned row_lanes = 16;

bool is_from_below(const trace_step& step) { return step.pattern.shape == movement_pattern::kind::from_below; }

bool is_scan_of_library(const trace_step& step) {
  return step.operation.ends_with("prefix_sum") || step.operation.ends_with("scan");
}

bool may_be_of_scan(const trace_step& step) {
  return step.kind == step_kind::collective && step.movement == WARPZ_MOVES &&
         (is_scan_of_library(step) || (is_from_below(step) && only_moves(step.operation)));
}

bool is_same_call(const trace_step& one, const trace_step& other) {
  return one.operation == other.operation && one.file == other.file && one.line == other.line;
}

/// The steps of one warp.
class warp_scans {
 public:
  warp_scans(const trace& run, std::span<const std::size_t> steps) : run_(run), steps_(steps) {}

  void add_to(std::map<std::size_t, std::vector<lane_range>>& after) {
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      const trace_step& step = run_.steps[steps_[at]];
      if (!may_be_of_scan(step)) continue;
      goes_on_ = last_ && (is_scan_of_library(step) ? goes_on_in_library(at) : goes_on_by_join(at));
      if (!goes_on_) begin();
      last_.reset();
      if (!(is_scan_of_library(step) ? join_as_library(step) : join_as_told(step))) continue;
      last_ = at;
      after[steps_[at]] = held_;
    }
  }

 private:
  const trace_step& step_at(std::size_t at) const { return run_.steps[steps_[at]]; }

  void begin() {
    held_.resize(run_.warp_size);
    for (unsigned lane = 0; lane < run_.warp_size; ++lane) held_[lane] = {lane, lane};
    is_whole_ = true;
  }

  /// A second scan by the same line has a second step behind its first one; the exclusive scan's last step has none.
  bool goes_on_in_library(std::size_t at) const {
    const trace_step& step = step_at(at);
    if (*last_ + 1 != at || !is_same_call(step, step_at(*last_))) return false;
    if (!moves_by_one(step)) return true;
    const bool has_second = at + 1 < steps_.size() && is_same_call(step, step_at(at + 1)) &&
                            is_from_below(step_at(at + 1)) && step_at(at + 1).pattern.amount == 2;
    return !has_second;
  }

  bool goes_on_by_join(std::size_t at) const {
    const trace_step &before = step_at(*last_), &step = step_at(at);
    if (before.join) return before.join->shown_by == steps_[at];
    return *last_ + 1 == at && is_same_call(before, step) && step.pattern.amount > before.pattern.amount;
  }

  static bool moves_by_one(const trace_step& step) { return is_from_below(step) && step.pattern.amount == 1; }

  bool join_as_library(const trace_step& step) {
    std::vector<lane_range> after = held_;
    const bool is_last_of_exclusive = goes_on_ && moves_by_one(step);
    for (unsigned lane = 0; lane < run_.warp_size; ++lane) {
      const unsigned source = step.lanes[lane].source.value_or(lane);
      if (is_last_of_exclusive) {
        after[lane] = source == lane ? lane_range() : held_[source];
        continue;
      }
      if (source >= lane || !held_[source] || !held_[lane]) continue;
      const auto [first, last] = *held_[source];
      if (last + 1 != held_[lane]->first) continue;
      // Other values are read and dropped: those from another row at first, and then those that would not make a row,
      // or rows, of twice the length.
      const bool is_used =
          is_from_below(step) ? source / row_lanes == lane / row_lanes : first % (2 * (last - first + 1)) == 0;
      if (is_used) after[lane]->first = first;
    }
    held_ = std::move(after);
    return true;
  }

  /// By the operation that the values show. Nobody sees that of a scan's last step if few lanes go on with its results:
  /// it is that of the steps before it, if all lanes took part in these.
  bool join_as_told(const trace_step& step) {
    if (step.join ? !step.join->gathers : !goes_on_ || !is_whole_) return false;
    std::vector<lane_range> after = held_;
    for (unsigned lane = 0; lane < run_.warp_size; ++lane) {
      const unsigned source = step.lanes[lane].source.value_or(lane);
      if (step.lanes[lane].state != lane_state::active || source >= lane) continue;
      if (step.join && (step.join->lanes >> lane & 1) == 0) {
        is_whole_ = false;
        continue;
      }
      const auto [first, last] = *held_[source];
      // The lanes of a sum of others are no range.
      if (last + 1 < held_[lane]->first) return false;
      after[lane]->first = std::min(first, held_[lane]->first);
    }
    held_ = std::move(after);
    return true;
  }

  const trace& run_;
  const std::span<const std::size_t> steps_;
  std::optional<std::size_t> last_;  ///< the last step of the scan, as a place in the warp's steps
  bool goes_on_ = false;             ///< this step is not the scan's first one
  bool is_whole_ = true;             ///< all lanes that have a source have joined its value
  std::vector<lane_range> held_;
};

}  // namespace

scan_cover::scan_cover(const trace& run) {
  std::vector<std::vector<std::size_t>> steps(run.warps());
  for (std::size_t i = 0; i < run.steps.size(); ++i) steps.at(run.steps[i].warp).push_back(i);
  for (const std::vector<std::size_t>& each : steps) warp_scans(run, each).add_to(after_);
}

const std::vector<lane_range>* scan_cover::after(std::size_t step) const {
  const auto found = after_.find(step);
  return found != after_.end() ? &found->second : nullptr;
}

}  // namespace warpz

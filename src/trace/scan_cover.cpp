// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/scan_cover.hpp"

namespace warpz {
namespace {

/// The device library scans within rows of so many lanes before it joins them (warpz/warp/scan.hpp).
constexpr unsigned row_lanes = 16;

bool is_scan_of_library(const trace_step& step) {
  return step.operation.ends_with("prefix_sum") || step.operation.ends_with("scan");
}

}  // namespace

void scan_cover::follow(const trace_step& step) {
  const bool of_library = is_scan_of_library(step);
  is_scan_ = step.kind == step_kind::collective && step.movement == WARPZ_MOVES &&
             (of_library || step.pattern.shape == movement_pattern::kind::from_below);
  if (!is_scan_) {
    held_.clear();
    return;
  }
  if (held_.empty() || step.operation != operation_ || step.warp != warp_ || step.line != line_) {
    held_.resize(warp_size_);
    for (unsigned lane = 0; lane < warp_size_; ++lane) held_[lane] = {lane, lane};
  }
  operation_ = step.operation;
  warp_ = step.warp;
  line_ = step.line;
  std::vector<std::pair<unsigned, unsigned>> after = held_;
  const bool is_within_rows = of_library && step.pattern.shape == movement_pattern::kind::from_below;
  for (unsigned lane = 0; lane < warp_size_; ++lane) {
    const unsigned source = step.lanes[lane].source.value_or(lane);
    const auto [first, last] = held_[source];
    if (source >= lane || last + 1 != held_[lane].first) continue;
    // Other values are read and dropped: those from another row at first, and then those that would not make a row, or
    // rows, of twice the length.
    const bool is_used = !of_library || (is_within_rows ? source / row_lanes == lane / row_lanes
                                                        : first % (2 * (last - first + 1)) == 0);
    if (is_used) after[lane].first = first;
  }
  held_ = std::move(after);
}

}  // namespace warpz

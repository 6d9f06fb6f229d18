// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/experiments/replay.hpp"

#include <algorithm>

namespace warpz {
namespace {

bool same_group(const warpz_lane_group& a, const warpz_lane_group& b) {
  return std::equal(std::begin(a.block), std::end(a.block), b.block) && a.warp == b.warp && a.lanes == b.lanes &&
         a.state == b.state && a.place.line == b.place.line;
}

}  // namespace

bool same_stop(std::span<const warpz_finding> a, std::span<const warpz_finding> b) {
  if (a.empty() || b.empty()) return a.empty() == b.empty();
  const warpz_finding &one = a.back(), &other = b.back();
  if (one.kind != other.kind) return false;
  if (one.kind == WARPZ_NO_PROGRESS) return true;
  const std::uint32_t groups = std::min<std::uint32_t>(one.group_count, WARPZ_FINDING_GROUPS);
  return one.group_count == other.group_count && std::equal(one.groups, one.groups + groups, other.groups, same_group);
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of lanes in a finding's record.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "abi/finding.h"

namespace warpz {

/// At most as many as fit: the count comes from a process that may have written anything over it.
inline std::span<const warpz_lane_group> groups_of(const warpz_finding& record) {
  return std::span(record.groups).first(std::min<std::size_t>(record.group_count, WARPZ_FINDING_GROUPS));
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a set of lanes is. Nothing else.
#pragma once

#include <cstdint>

namespace warpz {

/// A set of lanes: bit i is lane i. 64 bits everywhere, also where a warp has 32 lanes.
using lane_mask = std::uint64_t;

/// Names all lanes, whatever the warp size.
inline constexpr lane_mask full_mask = ~lane_mask{0};

}  // namespace warpz

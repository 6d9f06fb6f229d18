// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of the machine without HIP's names: runs a lambda as a kernel, and collectives for its lanes.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "simt/lane.hpp"
#include "simt/machine/machine.hpp"

namespace machine_kernels {

using simt::index3;
using simt::lane_mask;
using simt::this_lane;

#define HERE \
  simt::site { "meet", __FILE__, __LINE__ }

template <class Body>
void call_body(const void* body) {
  (*static_cast<const Body*>(body))();
}

/// Runs `body` once in every lane.
template <class Body>
void run(unsigned warp_size, index3 grid, index3 block, const Body& body, std::size_t shared_bytes = 0) {
  simt::set_warp_size(warp_size);
  ASSERT_TRUE(simt::launch({"kernel", grid, block, shared_bytes, call_body<Body>, &body}));
}

/// Every lane gets the sum of the group's values.
inline void sum_of_group(simt::collective_slots& operands, lane_mask group) {
  std::uint64_t sum = 0;
  for (unsigned lane = 0; lane < operands.warp_size; ++lane) {
    if (group >> lane & 1) sum += operands.value[lane];
  }
  for (unsigned lane = 0; lane < operands.warp_size; ++lane) {
    if (group >> lane & 1) operands.result[lane] = sum;
  }
}

/// Every lane gets the group itself.
inline void members(simt::collective_slots& operands, lane_mask group) {
  for (unsigned lane = 0; lane < operands.warp_size; ++lane) {
    if (group >> lane & 1) operands.result[lane] = group;
  }
}

/// Every lane gets the value of the lane its argument names.
inline void gather(simt::collective_slots& operands, lane_mask group) {
  for (unsigned lane = 0; lane < operands.warp_size; ++lane) {
    if (group >> lane & 1) operands.result[lane] = operands.value[operands.argument[lane]];
  }
}

inline unsigned linear_thread() {
  const index3 at = this_lane->thread_idx, extent = *this_lane->block_dim;
  return at.x + extent.x * (at.y + extent.y * at.z);
}

inline unsigned linear_block() {
  const index3 at = *this_lane->block_idx, extent = *this_lane->grid_dim;
  return at.x + extent.x * (at.y + extent.y * at.z);
}

}  // namespace machine_kernels

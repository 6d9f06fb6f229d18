// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of a block where the compiler knows how many threads it has: whole warps, and not.
#include "kernels.hpp"
#include "warpz/block.hpp"

namespace block = warpz::block;

#define OPERATIONS(threads, type)                                                                             \
  WARP_OPERATION(of_##threads##_block_sum_##type, type, type, (block::sum<true, threads>(v)));                \
  WARP_OPERATION(of_##threads##_block_max_##type, type, type, (block::max<true, threads>(v)));                \
  WARP_OPERATION(of_##threads##_block_min_##type, type, type, (block::min<true, threads>(v)));                \
  WARP_OPERATION(of_##threads##_block_broadcast_##type, type, type, (block::broadcast<threads>(v, which)));   \
  WARP_OPERATION(of_##threads##_block_prefix_sum_##type, type, type, (block::prefix_sum<false, threads>(v))); \
  WARP_OPERATION(of_##threads##_block_exclusive_prefix_sum_##type, type, type, (block::prefix_sum<true, threads>(v)))

OPERATIONS(256, u32);
OPERATIONS(256, f32);
OPERATIONS(256, f64);
OPERATIONS(250, f32);
OPERATIONS(192, f32);
OPERATIONS(1024, f32);
OPERATIONS(64, i64);
OPERATIONS(20, u32);

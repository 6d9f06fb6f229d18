// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of a block that consists of whole warps, for a number of warps that nobody knows beforehand; and one.
#define WARPZ_FULL_WARPS
#include "kernels.hpp"
#include "warpz/block.hpp"

namespace block = warpz::block;

#define OPERATIONS(type)                                                                \
  WARP_OPERATION(whole_block_sum_##type, type, type, block::sum(v));                    \
  WARP_OPERATION(whole_block_max_##type, type, type, block::max(v));                    \
  WARP_OPERATION(whole_block_broadcast_##type, type, type, block::broadcast(v, which)); \
  WARP_OPERATION(whole_block_prefix_sum_##type, type, type, block::prefix_sum(v));      \
  WARP_OPERATION(whole_block_exclusive_prefix_sum_##type, type, type, block::prefix_sum<true>(v))

OPERATIONS(u32);
OPERATIONS(i64);
OPERATIONS(f32);
OPERATIONS(f64);

WARP_OPERATION(whole_of_256_block_max_f32, f32, f32, (block::max<false, 256>(v)));
WARP_OPERATION(whole_of_256_block_prefix_sum_f64, f64, f64, (block::prefix_sum<false, 256>(v)));
WARP_OPERATION(whole_of_1024_block_exclusive_prefix_sum_f32, f32, f32, (block::prefix_sum<true, 1024>(v)));

/// Called again at once, in a loop, all through the same memory: what is left of one call is not taken for the next's.
extern "C" __global__ void whole_block_repeated_u32(u32* output, const u32* input, const u32*) {
  const unsigned i = thread_number();
  u32 v = input[i];
  for (u32 round = 0; round < 4; ++round) {
    const u32 least = block::min(v);
    v = block::prefix_sum(v) ^ block::sum(v);
    v += least * block::broadcast(v, round);
  }
  output[i] = v;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of a block, each through LDS where the block has several wavefronts.
#include "kernels.hpp"
#include "warpz/block.hpp"

namespace block = warpz::block;

#define NUMBERS(type)                                                             \
  WARP_OPERATION(block_sum_##type, type, type, block::sum(v));                    \
  WARP_OPERATION(block_max_##type, type, type, block::max(v));                    \
  WARP_OPERATION(block_min_##type, type, type, block::min(v));                    \
  WARP_OPERATION(block_broadcast_##type, type, type, block::broadcast(v, which)); \
  WARP_OPERATION(block_prefix_sum_##type, type, type, block::prefix_sum(v));      \
  WARP_OPERATION(block_exclusive_prefix_sum_##type, type, type, block::prefix_sum<true>(v))

NUMBERS(i32);
NUMBERS(u32);
NUMBERS(i64);
NUMBERS(u64);
NUMBERS(f32);
NUMBERS(f64);

/// Called again at once, in a loop, all through the same memory: what is left of one call is not taken for the next's.
extern "C" __global__ void block_repeated_u32(u32* output, const u32* input, const u32*) {
  const unsigned i = thread_number();
  u32 v = input[i];
  for (u32 round = 0; round < 4; ++round) {
    const u32 least = block::min(v);
    v = block::prefix_sum(v) ^ block::sum(v);
    v += least * block::broadcast(v, round);
  }
  output[i] = v;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace block = warpz::block;

/// To do: the sum of all elements, in one launch. `state` is how many blocks have arrived, and behind it there is room
/// for a sum of each; all zero at the start.
__global__ void sum_of_all_blocks(float* output, const float* input, unsigned* state, int size) {
  [[maybe_unused]] float* const sums = reinterpret_cast<float*>(state + 1);
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float of_block = block::sum<false>(global_i < size ? input[global_i] : 0.0f);
  if (threadIdx.x != 0) return;

  // 1. Leave the block's sum in its place among the sums.

  // 2. Arrive: add one to the counter. What has to come before that, so that others see the sum?

  // 3. Only the last block goes on from here. It adds up the sums of all blocks, in their order.
  output[0] = of_block;
}

WARPZ_KERNEL(sum_of_all_blocks);

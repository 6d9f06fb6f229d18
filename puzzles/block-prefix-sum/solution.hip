// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

/// output[i] = the sum of the block's elements up to and including input[i].
///
///     thread         0   1     2       3       |  4         5             warps of four lanes
///     current_val    a   b     c       d       |  e         f
///     scan_result    a   a+b   a+b+c   a+…+d   |  a+…+e     a+…+f
__global__ void block_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Threads past the end have no element, but the scan needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float scan_result = block::prefix_sum(current_val);

  if (global_i < size) output[global_i] = scan_result;
}

WARPZ_KERNEL(block_prefix_sum);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;
namespace warp = warpz::warp;

/// To do: output[i] = the sum of the block's elements up to and including input[i].
__global__ void block_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Threads past the end have no element, but every thread has to reach the scan: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // This begins anew with each warp. What is missing is the sum of all warps before, and a call that adds it.
  const float scan_result = warp::prefix_sum(current_val);

  if (global_i < size) output[global_i] = scan_result;
}

WARPZ_KERNEL(block_prefix_sum);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By hand, and only the warp just before is added: the block's third warp lacks the first one's sum.
// caught on: documented (32 lanes)
// passes on: documented (64 lanes); 5 random numbers
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void block_prefix_sum(float* output, const float* input, int size) {
  __shared__ float warp_totals[32];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const int this_warp = local_i / warp::size();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  float scan_result = warp::prefix_sum(current_val);
  if (warp::lane_id() == warp::size() - 1) warp_totals[this_warp] = scan_result;
  warpz::barrier();
  if (this_warp > 0) scan_result += warp_totals[this_warp - 1];
  if (global_i < size) output[global_i] = scan_result;
}

WARPZ_KERNEL(block_prefix_sum);

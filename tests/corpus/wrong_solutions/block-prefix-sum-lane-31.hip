// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By hand, and lane 31 is taken for the warp's last.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); 5 random numbers
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
  if (warp::lane_id() == 31) warp_totals[this_warp] = scan_result;
  warpz::barrier();
  for (int i = 0; i < this_warp; ++i) scan_result += warp_totals[i];
  if (global_i < size) output[global_i] = scan_result;
}

WARPZ_KERNEL(block_prefix_sum);

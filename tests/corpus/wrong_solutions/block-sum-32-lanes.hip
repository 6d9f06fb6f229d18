// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By hand, and written for warps of 32 lanes: one of 64 leaves its sum in two places.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); 5 random numbers (32 lanes)
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void block_sum(float* output, const float* input, int size) {
  __shared__ float warp_totals[32];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float warp_total = warp::sum(current_val);
  if (local_i % 32 == 0) warp_totals[local_i / 32] = warp_total;
  warpz::barrier();
  float total = 0.0f;
  for (unsigned i = 0; i < blockDim.x / 32; ++i) total += warp_totals[i];
  if (global_i < size) output[global_i] = total;
}

WARPZ_KERNEL(block_sum);

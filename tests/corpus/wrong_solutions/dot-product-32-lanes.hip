// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for warps of 32 lanes: one of 64 leaves its total in two places.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); 5 random numbers (32 lanes)
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void dot_product(float* output, const float* a, const float* b, int size) {
  __shared__ float warp_totals[32];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const float product = global_i < size ? a[global_i] * b[global_i] : 0.0f;
  const float warp_total = warp::sum(product);
  if (local_i % 32 == 0) warp_totals[local_i / 32] = warp_total;
  warpz::barrier();
  if (local_i == 0) {
    const int warps = blockDim.x / 32;
    float total = 0.0f;
    for (int i = 0; i < warps; ++i) total += warp_totals[i];
    output[blockIdx.x] = total;
  }
}

WARPZ_KERNEL(dot_product);

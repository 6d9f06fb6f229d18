// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody waits: thread 0 reads the other warps' totals before they are there.
// caught on: documented
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void dot_product(float* output, const float* a, const float* b, int size) {
  __shared__ float warp_totals[32];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const float product = global_i < size ? a[global_i] * b[global_i] : 0.0f;
  const float warp_total = warp::sum(product);
  if (warp::lane_id() == 0) warp_totals[local_i / warp::size()] = warp_total;
  if (local_i == 0) {
    const int warps = (static_cast<int>(blockDim.x) + warp::size() - 1) / warp::size();
    float total = 0.0f;
    for (int i = 0; i < warps; ++i) total += warp_totals[i];
    output[blockIdx.x] = total;
  }
}

WARPZ_KERNEL(dot_product);

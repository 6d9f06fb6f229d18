// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: five steps, where 64 lanes need six.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps (32 lanes)
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_inclusive_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  float sum = global_i < size ? input[global_i] : 0.0f;
  for (int stride = 1; stride <= 16; stride *= 2) {
    const float before = warp::shuffle_up(sum, stride);
    if (lane >= stride) sum += before;
  }
  if (global_i < size) output[global_i] = sum;
}

WARPZ_KERNEL(warp_inclusive_prefix_sum);

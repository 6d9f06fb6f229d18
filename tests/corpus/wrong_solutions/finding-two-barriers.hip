// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both halves of the warp wait at a barrier, but not at the same one.
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (warp::lane_id() < warp::size() / 2) {
    __syncthreads();  // here the lower half waits
  } else {
    __syncthreads();  // here the upper half waits
  }
  if (global_i < size) output[global_i] = 0.0f;
}

WARPZ_KERNEL(neighbor_difference);

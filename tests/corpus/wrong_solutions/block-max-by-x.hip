// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By hand, and the warp's number is taken from x alone: it is 0 everywhere, and the last warp's maximum stays.
// caught on: documented
// passes on: rising
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void block_max(float* output, const float* input, int size) {
  __shared__ float warp_results[32];
  const int block_size = blockDim.x * blockDim.y;
  const int local_i = threadIdx.y * blockDim.x + threadIdx.x;
  const int global_i = blockIdx.x * block_size + local_i;
  float max_val = global_i < size ? input[global_i] : NAN;
  max_val = warp::max(max_val);
  if (warp::lane_id() == 0) warp_results[threadIdx.x / warp::size()] = max_val;
  warpz::barrier();
  max_val = warp_results[0];
  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(block_max);

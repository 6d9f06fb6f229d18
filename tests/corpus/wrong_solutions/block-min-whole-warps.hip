// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By hand, and the partial warp at the block's end is forgotten.
// caught on: documented
// passes on: 5 random numbers
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void block_min(float* output, const float* input, int size) {
  __shared__ float warp_results[32];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  float min_val = warp::min(global_i < size ? input[global_i] : NAN);
  if (warp::lane_id() == 0) warp_results[local_i / warp::size()] = min_val;
  warpz::barrier();
  const int warps = static_cast<int>(blockDim.x) / warp::size();
  for (int i = 0; i < warps; ++i) min_val = fminf(min_val, warp_results[i]);
  if (local_i == 0) output[blockIdx.x] = min_val;
}

WARPZ_KERNEL(block_min);

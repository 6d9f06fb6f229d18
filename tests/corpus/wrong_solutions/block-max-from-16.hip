// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By hand, with a butterfly for 32 lanes: of a warp of 64 the upper half is not asked.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); 5 random numbers
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
  for (int offset = 16; offset > 0; offset /= 2) max_val = fmaxf(max_val, warp::shuffle_xor(max_val, offset));
  if (warp::lane_id() == 0) warp_results[local_i / warp::size()] = max_val;
  warpz::barrier();
  const int warps = (block_size + warp::size() - 1) / warp::size();
  for (int i = 0; i < warps; ++i) max_val = fmaxf(max_val, warp_results[i]);
  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(block_max);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms each warp for itself.
// caught on: documented
// passes on: all zero
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void block_walsh_transform(float* output, const float* input, int size) {
  constexpr int block_threads = 256;
  __shared__ float traded[block_threads];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * block_threads + local_i;

  // Threads past the end take part with an element that adds nothing.
  float current_val = global_i < size ? input[global_i] : 0.0f;

  // Within the warps: 5 steps with 32 lanes, 6 with 64.
  int distance = 1;
  for (; distance < warp::size(); distance *= 2) {
    const float partner_val = warp::shuffle_xor(current_val, distance);
    const bool is_lower = (local_i & distance) == 0;
    current_val = is_lower ? current_val + partner_val : partner_val - current_val;
  }

  // Across them: the other 3, or 2.
  for (; distance < warp::size(); distance *= 2) {
    traded[local_i] = current_val;
    // Nobody reads before everybody has written.
    warpz::barrier();
    const float partner_val = traded[local_i ^ distance];
    // Nobody writes the next step's values before everybody has read these.
    warpz::barrier();
    const bool is_lower = (local_i & distance) == 0;
    current_val = is_lower ? current_val + partner_val : partner_val - current_val;
  }

  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(block_walsh_transform);

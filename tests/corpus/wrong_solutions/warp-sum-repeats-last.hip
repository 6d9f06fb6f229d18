// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the read within bounds by repeating the array's last element, which is then counted many times.
// caught on: documented; 5 random numbers
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = input[min(global_i, size - 1)];
  const float total = warp::sum(current_val);
  if (global_i < size) output[global_i] = total;
}

WARPZ_KERNEL(warp_sum);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes a value from a partner that has no element.
// caught on: 5 random numbers; one element more than a warp
// passes on: documented; two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void butterfly_pair_swap(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float swapped_val = warp::shuffle_xor(current_val, 1);
  if (global_i < size) output[global_i] = swapped_val;
}

WARPZ_KERNEL(butterfly_pair_swap);

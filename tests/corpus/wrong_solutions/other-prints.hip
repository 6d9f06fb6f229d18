// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right, and prints as it goes.
#include "warpz/kernel.hpp"

__global__ void butterfly_pair_swap(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float partner_val = warpz::warp::shuffle_xor(current_val, 1);
  if (global_i == 3) printf("lane 3 has %g\n", static_cast<double>(current_val));
  if (global_i < size) output[global_i] = (global_i ^ 1) < size ? partner_val : current_val;
}

WARPZ_KERNEL(butterfly_pair_swap);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// Even lanes write the maximum of their warp's elements, odd lanes the minimum: two reductions along one
/// butterfly.
///
///     lane                 0          1          2          3
///     input                3          1          7          2
///     offset 2 (max, min)  7, 3       2, 1       7, 3       2, 1
///     offset 1 (max, min)  7, 1       7, 1       7, 1       7, 1
///     output               7          1          7          1
__global__ void butterfly_conditional_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end take part with a value that is neutral for both: fmaxf and fminf prefer a number to a NAN.
  float current_val = global_i < size ? input[global_i] : NAN;
  float min_val = current_val;

  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    current_val = fmaxf(current_val, warp::shuffle_xor(current_val, offset));
    min_val = fminf(min_val, warp::shuffle_xor(min_val, offset));
  }

  if (global_i < size) output[global_i] = lane % 2 == 0 ? current_val : min_val;
}

WARPZ_KERNEL(butterfly_conditional_max);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// Every lane writes the maximum of its warp's elements.
///
/// A butterfly: with each step a lane knows the maximum of twice as many lanes. With four lanes, by their numbers:
///
///     lane        0       1       2       3
///     offset 2    02      13      02      13
///     offset 1    0123    0123    0123    0123
__global__ void butterfly_parallel_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end take part with the neutral value: fmaxf of a NAN and a number is the number.
  float max_val = global_i < size ? input[global_i] : NAN;

  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    max_val = fmaxf(max_val, warp::shuffle_xor(max_val, offset));
  }

  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(butterfly_parallel_max);

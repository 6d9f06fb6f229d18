// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: output[i] = the mean of input[i], input[i + 1] and input[i + 2], or of those that the warp and the
/// array have.
__global__ void moving_average_3(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const int lane = warp::lane_id();

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. Get the values of the next lane and of the one after it: two warp::shuffle_down, outside of any `if`.

  if (global_i < size) {
    // 2. Where both exist, in the warp and in the array, store the mean of the three values.
    // 3. Where only the next one exists, store the mean of the two.
    // 4. Else store the element itself.
    output[global_i] = current_val;
  }
}

WARPZ_KERNEL(moving_average_3);

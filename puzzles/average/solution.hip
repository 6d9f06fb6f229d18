// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// output[i] = the mean of input[i], input[i + 1] and input[i + 2], or of those that the warp and the array have.
///
///     lane             0       1     …    W-3     W-2         W-1
///     current_val      a       b     …    x       y           z
///     next_val         b       c     …    y       z           (its own)
///     next_next_val    c       d     …    z       (its own)   (its own)
///     mean of          a b c   b c d …    x y z   y z         z
__global__ void moving_average_3(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end have no element, but the shuffles need them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1);
  const float next_next_val = warp::shuffle_down(current_val, 2);

  if (global_i < size) {
    if (lane < warp::size() - 2 && global_i < size - 2) {
      output[global_i] = (current_val + next_val + next_next_val) / 3.0f;
    } else if (lane < warp::size() - 1 && global_i < size - 1) {
      output[global_i] = (current_val + next_val) / 2.0f;
    } else {
      output[global_i] = current_val;
    }
  }
}

WARPZ_KERNEL(moving_average_3);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// output[i] = (input[i] + input[i + 1]) * mean within each warp, and input[i] * mean where there is no next one.
/// Lane 0 computes the mean of the block's first four elements.
///
///     lane            0          1          …    W-1
///     scale_factor    m          m          …    m             a broadcast
///     current_val     a          b          …    z
///     next_val        b          c          …    (its own)     a shuffle
///     output          (a+b)*m    (b+c)*m    …    z*m
__global__ void broadcast_shuffle_coordination(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  float scale_factor = 0.0f;
  if (lane == 0) {
    const int block_start = blockIdx.x * blockDim.x;
    float sum = 0.0f;
    for (int i = 0; i < 4; ++i) {
      if (block_start + i < size) sum += input[block_start + i];
    }
    scale_factor = sum / 4.0f;
  }
  scale_factor = warp::broadcast(scale_factor);

  // Lanes past the end have no element, but the shuffle needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1);

  if (global_i < size) {
    const bool has_next = lane < warp::size() - 1 && global_i < size - 1;
    output[global_i] = (has_next ? current_val + next_val : current_val) * scale_factor;
  }
}

WARPZ_KERNEL(broadcast_shuffle_coordination);

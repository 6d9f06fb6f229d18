// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Within each warp's part of the array: the elements at even places first, then those at odd places, both in their
/// order.
///
///     lane           0    1    2    3    4    5    6
///     current_val    a    b    c    d    e    f    g     a partial warp: 4 of 7 elements are at even places
///     source         0    2    4    6    1    3    5
///     output         a    c    e    g    b    d    f
__global__ void warp_deinterleave(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const int warp_start = global_i - lane;

  // Lanes past the end have no element, but the shuffle needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // How many elements the warp has, and how many of them are at even places.
  const int elements = min(size - warp_start, warp::size());
  const int evens = (elements + 1) / 2;

  const int source = lane < evens ? 2 * lane : 2 * (lane - evens) + 1;
  const float gathered_val = warp::shuffle_idx(current_val, source);

  if (global_i < size) output[global_i] = gathered_val;
}

WARPZ_KERNEL(warp_deinterleave);

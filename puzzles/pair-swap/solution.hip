// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Elements 0 and 1 change places, 2 and 3, and so on. An element without a partner stays.
///
///     lane           0   1   2   3   …
///                     \ /     \ /
///                     / \     / \     …
///     swapped_val    1   0   3   2   …
__global__ void butterfly_pair_swap(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end have no element, but the shuffle needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float swapped_val = warp::shuffle_xor(current_val, 1);

  if (global_i < size) {
    const bool has_partner = (global_i ^ 1) < size;
    output[global_i] = has_partner ? swapped_val : current_val;
  }
}

WARPZ_KERNEL(butterfly_pair_swap);

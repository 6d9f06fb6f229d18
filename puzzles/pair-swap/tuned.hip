// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

/// The same as butterfly_pair_swap with four elements a lane: both of a pair are the lane's own, and nothing is
/// shuffled.
__global__ void __launch_bounds__(256) butterfly_pair_swap_tuned(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

  const float4 x = warpz::load_four(input, first, size, 0.0f);

  // An element whose partner does not exist stays.
  warpz::store_four(output, first, size,
                    make_float4(first + 1 < size ? x.y : x.x, x.x, first + 3 < size ? x.w : x.z, x.z));
}

WARPZ_KERNEL(butterfly_pair_swap_tuned);

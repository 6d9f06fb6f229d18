// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane 3 alone sets the variable, and all lanes ask lane 3 for it; what another one gives is dropped.
// run: --neighbor --size 32
#include "warpz/warp.hpp"

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  float mine;
  for (int k = 0; k < size; ++k)
    if (threadIdx.x == 3) mine = input[k];
  const float right = warpz::warp::shuffle_idx(mine, 3);
  const float other = warpz::warp::shuffle_idx(mine, 2);
  if (i < size) output[i] = right + (other > 0.0f && size < 0 ? other : 0.0f);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane 3 alone sets the variable. That all lanes ask it is as usual; that they ask lane 2, too, is not.
// run: --neighbor --size 32
// finds: undefined_lane_value
// lane: 0 0
// other lane: 2 2
#include "warpz/warp.hpp"

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  float mine;  // second
  for (int k = 0; k < size; ++k)
    if (threadIdx.x == 3) mine = input[k];
  const float right = warpz::warp::shuffle_idx(mine, 3);
  const float wrong = warpz::warp::shuffle_idx(mine, 2);  // first
  if (i < size) output[i] = right + wrong;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device library's shuffle gives a lane its own value where the block has no such lane.
// run: --block-broadcast --size 48
#include "warpz/warp.hpp"

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const float other = warpz::warp::shuffle_down(input[i], 8);
  if (i < size) output[i] = fmaxf(input[i], other);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the sum of the part before, and not of those before that.
// caught on: documented; --random 5 --size 1000
// passes on: 5 random numbers; --random 5 --size 500
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

__global__ void __launch_bounds__(256) device_scan(float* output, const float* input, unsigned* state, int size) {
  (void)state;
  for (int first = blockIdx.x * 256; first < size; first += gridDim.x * 256) {
    const int i = first + threadIdx.x;
    const float before = warpz::block::sum(first > 0 ? input[i - 256] : 0.0f);
    const float result = warpz::block::prefix_sum(i < size ? input[i] : 0.0f);
    if (i < size) output[i] = before + result;
  }
}

WARPZ_KERNEL(device_scan);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts threads without an element.
// caught on: documented; rising
// passes on: --random 96 --size 96
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

__global__ void count_twice(float* output, const float* input, int size) {
  __shared__ int counted;
  __shared__ int raced;
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    counted = 0;
    raced = 0;
  }
  warpz::barrier();
  const bool negative = !(global_i < size) || input[global_i] < 0.0f;

  if (negative) atomicAdd(&counted, 1);

  const int seen = raced;
  warpz::barrier();
  if (negative) raced = seen + 1;

  warpz::barrier();
  if (threadIdx.x == 0) {
    output[2 * blockIdx.x] = static_cast<float>(counted);
    output[2 * blockIdx.x + 1] = static_cast<float>(raced);
  }
}

WARPZ_KERNEL(count_twice);

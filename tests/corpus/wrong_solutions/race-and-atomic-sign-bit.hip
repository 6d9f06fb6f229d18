// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the sign bit for the answer: -0 has it too, and is not negative.
// caught on: negative zeros; both zeros
// passes on: documented; 5 random numbers
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
  const bool negative = global_i < size && signbit(input[global_i]);

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

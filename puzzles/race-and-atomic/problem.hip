// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// To do: count the negative elements of each block twice, rightly and with a race.
__global__ void count_twice(float* output, const float* input, int size) {
  __shared__ int counted;
  __shared__ int raced;
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    counted = 0;
    raced = 0;
  }
  warpz::barrier();
  const bool negative = global_i < size && input[global_i] < 0.0f;

  // These are two counters with a race. Leave `raced` as it is: it shows what is lost. Mend `counted`: which operation
  // reads, adds and writes as one?
  const int seen = raced;
  const int seen_too = counted;
  warpz::barrier();
  if (negative) raced = seen + 1;
  if (negative) counted = seen_too + 1;

  warpz::barrier();
  if (threadIdx.x == 0) {
    output[2 * blockIdx.x] = static_cast<float>(counted);
    output[2 * blockIdx.x + 1] = static_cast<float>(raced);
  }
}

WARPZ_KERNEL(count_twice);

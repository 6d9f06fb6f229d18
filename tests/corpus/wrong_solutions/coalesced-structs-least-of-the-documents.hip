// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Begins with the documents' least number: whatever is less is never found.
// caught on: falling halves
// passes on: documented
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

__global__ void largest_field(float* output, const float* input, int size) {
  constexpr int fields = 3, points = 64;
  __shared__ float block[fields * points];
  const int local_i = threadIdx.x, first = blockIdx.x * fields * points;

  // Consecutive lanes load consecutive numbers, whosever they are.
  for (int i = local_i; i < fields * points; i += points)
    block[i] = first + i < fields * size ? input[first + i] : 0.0f;
  warpz::barrier();

  const int point = blockIdx.x * points + local_i;
  const float* const own = block + fields * local_i;
  if (point < size) output[point] = fmaxf(fmaxf(fmaxf(own[0], own[1]), own[2]), -100.0f);
}

WARPZ_KERNEL(largest_field);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// Each thread has a point of three numbers, and writes the largest of them. The block's points are loaded together, to
/// shared memory, from where each thread takes its own.
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
  if (point < size) output[point] = fmaxf(fmaxf(own[0], own[1]), own[2]);
}

WARPZ_KERNEL(largest_field);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// The difference to the element on the other side of a ring: half of the block's elements further on.
__global__ void across_the_ring(float* output, const float* input, int size) {
  constexpr int max_threads = 1024;
  __shared__ float ring[max_threads];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const int existing = min(static_cast<int>(blockDim.x), size - (global_i - local_i));

  const float own = global_i < size ? input[global_i] : 0.0f;
  // No load is outstanding behind this. The compiler would wait by itself, for each where it is used.
  warpz::waitcnt<0>();
  ring[local_i] = own;

  // What others read behind this are writes to the LDS: wait for these, for nothing else, and for all threads.
  warpz::waitcnt_barrier<warpz::any_count, warpz::any_count, 0>();

  if (global_i < size) output[global_i] = ring[(local_i + existing / 2) % existing] - own;
}

WARPZ_KERNEL(across_the_ring);

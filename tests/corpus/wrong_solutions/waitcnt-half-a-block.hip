// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of the block is further on, not half of the elements.
// caught on: 5 random numbers
// passes on: documented
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace {
constexpr int max_threads = 1024;
}

__global__ void across_the_ring(float* output, const float* input, int size) {
  __shared__ float ring[max_threads];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const int existing = min(static_cast<int>(blockDim.x), size - (global_i - local_i));

  const float own = global_i < size ? input[global_i] : 0.0f;
  warpz::waitcnt<0>();
  ring[local_i] = own;

  warpz::waitcnt_barrier<warpz::any_count, warpz::any_count, 0>();

  if (global_i < size) output[global_i] = ring[(local_i + static_cast<int>(blockDim.x) / 2) % existing] - own;
}

WARPZ_KERNEL(across_the_ring);

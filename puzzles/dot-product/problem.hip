// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

/// To do: output[block] = the sum of a[i] · b[i] over the block's places i.
__global__ void dot_product(float* output, const float* a, const float* b, int size) {
  constexpr int most_warps = 1024 / 32;  // a block has no more
  [[maybe_unused]] __shared__ float warp_totals[most_warps];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;

  // Threads past the end have no product, but every thread has to reach the sum: they hold a 0.
  const float product = global_i < size ? a[global_i] * b[global_i] : 0.0f;
  const float warp_total = warp::sum(product);

  // 1. Each warp has a total. One lane of each leaves it in warp_totals, at the place of its warp.

  // 2. When may somebody else read it?

  // 3. Thread 0 knows the total of its own warp only. How many warps are there, if the block ends within the last one?
  if (local_i == 0) output[blockIdx.x] = warp_total;
}

WARPZ_KERNEL(dot_product);

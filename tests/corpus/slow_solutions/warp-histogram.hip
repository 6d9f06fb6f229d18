// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An atomic for each element.
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void warp_histogram(float* output, const float* input, int size) {
  constexpr int bins = 4;
  __shared__ unsigned counts[bins];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x, local_i = threadIdx.x;
  const bool exists = global_i < size;
  const float x = exists ? input[global_i] : 0.0f;
  const int bin = (x >= 0.0f) + (x >= 16.0f) + (x >= 32.0f);

  if (local_i < bins) counts[local_i] = 0;
  warpz::barrier();

  if (exists) atomicAdd(&counts[bin], 1u);

  warpz::barrier();
  if (local_i < bins) output[bins * blockIdx.x + local_i] = static_cast<float>(counts[local_i]);
}

WARPZ_KERNEL(warp_histogram);

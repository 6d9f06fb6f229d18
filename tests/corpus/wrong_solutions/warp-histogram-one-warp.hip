// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only the first 32 lanes of a warp are counted.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes)
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

  // Lane b adds what the whole warp has in bin b: one atomic for the warp, whose lanes change different counts.
  const int lane = warp::lane_id();
  unsigned in_warp = 0;
  for (int b = 0; b < bins; ++b) {
    const warpz::lane_mask lanes = warp::vote(exists && bin == b);
    if (lane == b) in_warp = static_cast<unsigned>(__popc(static_cast<unsigned>(lanes)));
  }
  if (lane < bins) atomicAdd(&counts[lane], in_warp);

  warpz::barrier();
  if (local_i < bins) output[bins * blockIdx.x + local_i] = static_cast<float>(counts[local_i]);
}

WARPZ_KERNEL(warp_histogram);

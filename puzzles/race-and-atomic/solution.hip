// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

/// Counts the negative elements of each block twice: rightly, and with a race that loses all updates but one.
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

  // Reads, adds and writes as one: nobody comes between. One for each element would do; here the lanes that came this
  // way together leave it to the first of them.
  if (negative) {
    const warpz::lane_mask together = warp::active_mask();
    const warpz::lane_mask lower_lanes = (warpz::lane_mask{1} << warp::lane_id()) - 1;
    if ((together & lower_lanes) == 0) atomicAdd(&counted, static_cast<int>(__popcll(together)));
  }

  // What `raced = raced + 1` is: reading, and writing later. Here all have read the same 0 before the first one writes,
  // so all of them write the same 1.
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

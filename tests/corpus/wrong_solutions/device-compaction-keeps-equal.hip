// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps an element equal to the pivot.
// caught on: all equal to the pivot
// passes on: documented; already partitioned
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

__global__ void __launch_bounds__(256)
    device_compaction(float* output, const float* input, unsigned* state, int size, float pivot) {
  const std::size_t all = static_cast<std::size_t>(size), threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t kept = warpz::device::compact(
      output, input, all, [pivot](float element) { return element >= pivot; }, state);
  for (std::size_t i = kept + blockIdx.x * blockDim.x + threadIdx.x; i < all; i += threads) output[i] = 0.0f;
}

WARPZ_KERNEL(device_compaction);

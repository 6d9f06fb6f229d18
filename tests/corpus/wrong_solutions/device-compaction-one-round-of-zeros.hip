// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread writes one zero.
// caught on: documented; --random 5 --size 3000
// passes on: 7 random numbers; all right of the pivot
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

__global__ void __launch_bounds__(256)
    device_compaction(float* output, const float* input, unsigned* state, int size, float pivot) {
  const std::size_t all = static_cast<std::size_t>(size);
  const std::size_t kept = warpz::device::compact(
      output, input, all, [pivot](float element) { return element > pivot; }, state);
  const std::size_t i = kept + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < all) output[i] = 0.0f;
}

WARPZ_KERNEL(device_compaction);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

/// The elements above the pivot to the front, in their order; zeros behind them. `state` is how the blocks tell each
/// other how many they keep; all zero at the start.
///
///     tile            0             1             2
///     kept            2 of 3        none          1 of 3
///     from place      0                           2            zeros from place 3 on
__global__ void __launch_bounds__(warpz::device::block_threads, 3)
    device_compaction(float* output, const float* input, unsigned* state, int size, float pivot) {
  const std::size_t all = static_cast<std::size_t>(size);
  const std::size_t kept = warpz::device::compact(
      output, input, all, [pivot](float element) { return element > pivot; }, state);
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = kept + blockIdx.x * blockDim.x + threadIdx.x; i < all; i += threads) output[i] = 0.0f;
}

WARPZ_KERNEL(device_compaction);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

/// The elements below the pivot to the front, the others behind them, both in their order. `state` is how the blocks
/// tell each other how many they have; all zero at the start.
///
///     tile               0               1               2
///     below the pivot    2 of 3          1 of 3          3 of 3
///     from place         0               2               3
///     the others from    6               7               9            behind all six that are below
__global__ void __launch_bounds__(warpz::device::block_threads, 3)
    device_partition(float* output, const float* input, unsigned* state, int size, float pivot) {
  warpz::device::partition(
      output, input, static_cast<std::size_t>(size), [pivot](float element) { return element < pivot; }, state);
}

WARPZ_KERNEL(device_partition);

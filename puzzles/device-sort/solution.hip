// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

/// All elements in ascending order. `state` is how the blocks tell each other what they have counted, and room for the
/// elements between two passes; all zero at the start.
///
///     input               31 12 22 11 32 21
///     by the last digit   31 11 21 12 22 32        equal digits stay in their order
///     by the first one    11 12 21 22 31 32
__global__ void __launch_bounds__(warpz::device::block_threads, 2)
    device_sort(float* output, const float* input, unsigned* state, int size) {
  warpz::device::sort(output, input, static_cast<std::size_t>(size), state);
}

WARPZ_KERNEL(device_sort);

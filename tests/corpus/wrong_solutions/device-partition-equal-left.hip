// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes an element equal to the pivot to the left.
// caught on: next to the pivot
// passes on: documented; all equal to the pivot
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

__global__ void __launch_bounds__(256)
    device_partition(float* output, const float* input, unsigned* state, int size, float pivot) {
  warpz::device::partition(
      output, input, static_cast<std::size_t>(size), [pivot](float element) { return element <= pivot; }, state);
}

WARPZ_KERNEL(device_partition);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves the others in the opposite order.
// caught on: documented; --random 5 --size 5000
// passes on: all equal to the pivot; all left of the pivot
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

__global__ void __launch_bounds__(256)
    device_partition(float* output, const float* input, unsigned* state, int size, float pivot) {
  warpz::device::partition<false>(
      output, input, static_cast<std::size_t>(size), [pivot](float element) { return element < pivot; }, state);
}

WARPZ_KERNEL(device_partition);

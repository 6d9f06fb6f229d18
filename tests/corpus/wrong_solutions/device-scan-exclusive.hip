// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves out the element itself.
// caught on: documented; 5 random numbers
// passes on: all zero
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

__global__ void __launch_bounds__(256) device_scan(float* output, const float* input, unsigned* state, int size) {
  warpz::device::prefix_sum<true>(output, input, static_cast<std::size_t>(size), state);
}

WARPZ_KERNEL(device_scan);

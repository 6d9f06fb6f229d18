// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves out what is left over of accesses of four elements.
// caught on: 5 random numbers; 7 random numbers
// passes on: documented; 8 random numbers
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

__global__ void __launch_bounds__(256) device_sort(float* output, const float* input, unsigned* state, int size) {
  const int in_fours = size < 4 ? size : size / 4 * 4;
  warpz::device::sort(output, input, static_cast<std::size_t>(in_fours), state);
}

WARPZ_KERNEL(device_sort);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts the bits as whole numbers: the negative ones come in the opposite order.
// caught on: documented; all negative
// passes on: rising; all right of the pivot
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

__global__ void __launch_bounds__(256) device_sort(float* output, const float* input, unsigned* state, int size) {
  warpz::device::sort(reinterpret_cast<int*>(output), reinterpret_cast<const int*>(input),
                      static_cast<std::size_t>(size), state);
}

WARPZ_KERNEL(device_sort);

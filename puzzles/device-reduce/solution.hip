// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

/// output[0] = the sum of all elements. `state` is how the blocks find out which of them is the last, and what the
/// others have found; all zero at the start.
///
///     chunk          0            1            2            …
///     block          0            1            0            the same sum whichever block adds it up
///     last block     sum of 0  +  sum of 1  +  sum of 2  +  …
__global__ void __launch_bounds__(warpz::device::block_threads)
    device_reduce(float* output, const float* input, unsigned* state, int size) {
  warpz::device::sum(output, input, static_cast<std::size_t>(size), state);
}

WARPZ_KERNEL(device_reduce);

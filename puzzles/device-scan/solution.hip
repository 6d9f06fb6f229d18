// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

/// output[i] = input[0] + … + input[i], over the whole array. `state` is how the blocks tell each other the sums of
/// their tiles; all zero at the start.
///
///     tile            0        1              2
///     its sum         a        b              c               published as soon as it is known
///     before it       0        a              a+b             by looking back at what others have published
__global__ void __launch_bounds__(warpz::device::block_threads, warpz::device::scan_blocks())
    device_scan(float* output, const float* input, unsigned* state, int size) {
  warpz::device::prefix_sum(output, input, static_cast<std::size_t>(size), state);
}

WARPZ_KERNEL(device_scan);

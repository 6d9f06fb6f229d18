// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

/// To do: output[i] = input[0] + … + input[i], over the whole array. `state` is all zero at the start.
__global__ void __launch_bounds__(warpz::device::block_threads)
    device_scan(float* output, const float* input, [[maybe_unused]] unsigned* state, int size) {
  // There are more elements than threads: each block goes on with every so many-th part.
  const int threads = blockDim.x, all_threads = gridDim.x * threads;
  for (int first = blockIdx.x * threads; first < size; first += all_threads) {
    const int global_i = first + threadIdx.x;
    const float current_val = global_i < size ? input[global_i] : 0.0f;

    // This begins anew with each part. What is missing is the sum of all parts before, which other blocks are working
    // on. Who may wait for whom, so that nobody waits for ever? One call of warpz::device does all of it.
    const float scan_result = block::prefix_sum(current_val);

    if (global_i < size) output[global_i] = scan_result;
  }
}

WARPZ_KERNEL(device_scan);

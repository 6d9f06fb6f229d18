// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

/// To do: output[0] = the sum of all elements, however many blocks there are. `state` is all zero at the start.
__global__ void __launch_bounds__(warpz::device::block_threads)
    device_reduce(float* output, const float* input, [[maybe_unused]] unsigned* state, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // 1. There are more elements than threads. Let each thread add up several of them.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float of_block = block::sum<false>(current_val);

  // 2. This is the first block's sum alone. The other blocks have to leave theirs in `state`, and the one that arrives
  // last adds them up. One call of warpz::device does all of it.
  if (global_i == 0) output[0] = of_block;
}

WARPZ_KERNEL(device_reduce);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

/// To do: the elements above the pivot to the front of the array, in their order; zeros behind them. `state` is all
/// zero at the start.
__global__ void __launch_bounds__(warpz::device::block_threads)
    device_compaction(float* output, const float* input, [[maybe_unused]] unsigned* state, int size, float pivot) {
  const int threads = blockDim.x, all_threads = gridDim.x * threads;
  for (int first = blockIdx.x * threads; first < size; first += all_threads) {
    const int global_i = first + threadIdx.x;
    const bool exists = global_i < size;
    const float current_val = exists ? input[global_i] : 0.0f;
    const bool kept = exists && current_val > pivot;

    // Right within a part of the array. What is missing: how many elements all parts before keep. And where do the
    // zeros begin? One call of warpz::device does the first, and returns the second.
    const int kept_before = block::prefix_sum<true>(kept ? 1 : 0);
    const int kept_in_all = block::sum(kept ? 1 : 0);
    if (kept) output[first + kept_before] = current_val;
    if (exists && static_cast<int>(threadIdx.x) >= kept_in_all) output[global_i] = 0.0f;
  }
}

WARPZ_KERNEL(device_compaction);

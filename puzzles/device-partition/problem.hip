// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

/// To do: the elements below the pivot to the front of the array, the others behind them, both in their order. `state`
/// is all zero at the start.
__global__ void __launch_bounds__(warpz::device::block_threads)
    device_partition(float* output, const float* input, [[maybe_unused]] unsigned* state, int size, float pivot) {
  const int threads = blockDim.x, all_threads = gridDim.x * threads;
  for (int first = blockIdx.x * threads; first < size; first += all_threads) {
    const int global_i = first + threadIdx.x;
    const bool exists = global_i < size;
    const float current_val = exists ? input[global_i] : 0.0f;
    const bool is_left = exists && current_val < pivot;

    // Right within a part of the array. What is missing: how many elements below the pivot there are in all parts
    // before, and how many in the whole array, behind which the others begin. One call of warpz::device does all of it.
    const int left_before = block::prefix_sum<true>(is_left ? 1 : 0);
    const int left_in_all = block::sum(is_left ? 1 : 0);
    const int place = is_left ? left_before : left_in_all + static_cast<int>(threadIdx.x) - left_before;
    if (exists) output[first + place] = current_val;
  }
}

WARPZ_KERNEL(device_partition);

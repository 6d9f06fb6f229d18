// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/device.hpp"
#include "warpz/kernel.hpp"
#include "warpz/warp.hpp"

namespace warp = warpz::warp;

/// To do: all elements in ascending order, NaNs last. `state` is all zero at the start.
__global__ void __launch_bounds__(warpz::device::block_threads)
    device_sort(float* output, const float* input, [[maybe_unused]] unsigned* state, int size) {
  const int threads = gridDim.x * blockDim.x, lane = warp::lane_id();
  for (int first = blockIdx.x * blockDim.x; first < size; first += threads) {
    const int global_i = first + threadIdx.x;
    const float current_val = global_i < size ? input[global_i] : INFINITY;

    // Each warp's part is sorted: an element's place is how many are less, or equal and before it. For a whole array
    // that takes too many comparisons. What is needed instead: passes over the digits of the elements' bits, and in
    // each one the places of equal digits, over all blocks. One call of warpz::device does all of it.
    int place = 0;
    for (int other = 0; other < warp::size(); ++other) {
      const float other_val = warp::broadcast(current_val, other);
      place += other_val < current_val || (other_val == current_val && other < lane) ? 1 : 0;
    }
    const int to = global_i - lane + place;
    if (global_i < size && to < size) output[to] = current_val;
  }
}

WARPZ_KERNEL(device_sort);

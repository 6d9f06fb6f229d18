// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// To do: the warp's elements from the least to the greatest, by C. A. R. Hoare's quicksort.
__global__ void warp_quicksort(float* output, const float* input, int size) {
  constexpr int max_threads = 1024;  // a block has no more
  __shared__ float moved[max_threads];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  float* const warp_moved = moved + threadIdx.x - lane;

  // Lanes past the end take part with what stands behind everything, so the elements end up before it.
  float current_val = global_i < size ? input[global_i] : NAN;

  // The lane's segment: from begin up to, but without, end. Lanes of one segment agree about both.
  int begin = 0, end = warp::size();

  // 1. This is the first round. Repeat it while any lane's segment has more than one element.
  const float pivot = warp::shuffle_idx(current_val, (begin + end) / 2);
  // NANs, which are not equal to themselves, stand behind all numbers.
  const bool is_less = current_val < pivot || (current_val == current_val && pivot != pivot);
  const bool is_greater = pivot < current_val || (pivot == pivot && current_val != current_val);

  // 2. In later rounds a vote has bits of other segments, too. Keep this segment's.
  const warpz::lane_mask less = warp::vote(is_less);
  const warpz::lane_mask greater = warp::vote(is_greater);
  const warpz::lane_mask equal = ~less & ~greater & (warpz::full_mask >> (64 - warp::size()));

  const warpz::lane_mask lanes_before = (warpz::lane_mask{1} << lane) - 1;
  const int equal_begin = begin + __popcll(less);
  const int greater_begin = equal_begin + __popcll(equal);
  const int place = is_less      ? begin + __popcll(less & lanes_before)
                    : is_greater ? greater_begin + __popcll(greater & lanes_before)
                                 : equal_begin + __popcll(equal & lanes_before);

  warp_moved[place] = current_val;
  warpz::syncwarp(warpz::full_mask);
  current_val = warp_moved[lane];
  warpz::syncwarp(warpz::full_mask);

  // 3. Which of the three parts is the lane in now? That is its segment in the next round.

  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_quicksort);

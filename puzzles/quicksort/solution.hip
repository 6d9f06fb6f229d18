// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// The warp's elements from the least to the greatest, by C. A. R. Hoare's quicksort. In each round every segment is
/// split into three by a pivot of its own: what is less, what is equal, what is greater.
///
///     lane           0    1    2    3    4    5    6
///     current_val    3    7    4    8    6    2    8     one segment, the pivot is lane 3's: 8
///     round 1        3    7    4    6    2  | 8  | 8     pivots 4, 8, 8
///     round 2        3    2  | 4  | 7    6  | 8  | 8     and so on, until no segment has two elements
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
  while (warp::any(end - begin > 1)) {
    const float pivot = warp::shuffle_idx(current_val, (begin + end) / 2);
    // NANs, which are not equal to themselves, stand behind all numbers.
    const bool is_less = current_val < pivot || (current_val == current_val && pivot != pivot);
    const bool is_greater = pivot < current_val || (pivot == pivot && current_val != current_val);

    // All segments vote at once; each counts its own lanes.
    const warpz::lane_mask segment = (warpz::full_mask >> (64 - (end - begin))) << begin;
    const warpz::lane_mask less = warp::vote(is_less) & segment;
    const warpz::lane_mask greater = warp::vote(is_greater) & segment;
    const warpz::lane_mask equal = segment & ~less & ~greater;

    // Those in front of this lane that go the same way come before it.
    const warpz::lane_mask lanes_before = (warpz::lane_mask{1} << lane) - 1;
    const int equal_begin = begin + __popcll(less);
    const int greater_begin = equal_begin + __popcll(equal);
    const int place = is_less      ? begin + __popcll(less & lanes_before)
                      : is_greater ? greater_begin + __popcll(greater & lanes_before)
                                   : equal_begin + __popcll(equal & lanes_before);

    // A shuffle reads from a lane that the reader chooses. Here the writer knows the place, so it goes through memory.
    warp_moved[place] = current_val;
    warpz::syncwarp(warpz::full_mask);
    current_val = warp_moved[lane];
    // Nobody writes the next round's elements before everybody has read these.
    warpz::syncwarp(warpz::full_mask);

    // Equal elements are where they belong: each is a segment of its own.
    if (lane < equal_begin) {
      end = equal_begin;
    } else if (lane < greater_begin) {
      begin = lane;
      end = lane + 1;
    } else {
      begin = greater_begin;
    }
  }

  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_quicksort);

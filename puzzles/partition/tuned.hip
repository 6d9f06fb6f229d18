// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"
#include "warpz/vector_access.hpp"

namespace warp = warpz::warp;

/// The same as warp_partition with four elements a lane: four votes tell each lane how many elements before its own go
/// to the left. The elements change places in shared memory, so that they are stored as they were loaded, 16 bytes a
/// lane.
__global__ void __launch_bounds__(256) warp_partition_tuned(float* output, const float* input, int size, float pivot) {
  __shared__ float4 staged[256];
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // The lanes whose elements one warp of warp_partition has, the first of them, and the caller's place among them.
  const int lanes = warp::size() / 4;
  const int place = warp::lane_id() % lanes;
  const int first_lane = warp::lane_id() - place;
  const warpz::lane_mask before = ((warpz::lane_mask{1} << place) - 1) << first_lane;
  const warpz::lane_mask all = ((warpz::lane_mask{1} << lanes) - 1) << first_lane;

  const float4 x = warpz::load_four(input, first, size, 0.0f);
  const float elements[4] = {x.x, x.y, x.z, x.w};
  bool goes_left[4];
  int left_before = 0;
  int left_total = 0;
  for (int i = 0; i < 4; ++i) {
    goes_left[i] = first + i < size && elements[i] < pivot;
    const warpz::lane_mask vote = warp::vote(goes_left[i]);
    left_before += __popcll(vote & before);
    left_total += __popcll(vote & all);
  }

  // Elements that do not exist go behind all others.
  float* const tile = reinterpret_cast<float*>(staged + threadIdx.x - place);
  for (int i = 0; i < 4; ++i) {
    const int right_before = 4 * place + i - left_before;
    tile[goes_left[i] ? left_before : left_total + right_before] = elements[i];
    left_before += goes_left[i] ? 1 : 0;
  }
  warpz::syncwarp();

  warpz::store_four(output, first, size, warpz::load_four(staged[threadIdx.x]));
}

WARPZ_KERNEL(warp_partition_tuned);

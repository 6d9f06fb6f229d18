// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

#include <cmath>

namespace warp = warpz::warp;

namespace {
/// Returns the number that is farther from zero, and of x and -x the positive one. A NAN, which is not equal to itself,
/// counts only if there is nothing else.
struct farther {
  __device__ float operator()(float a, float b) const {
    if (a != a) return b;
    if (b != b) return a;
    const float from_a = fabsf(a), from_b = fabsf(b);
    if (from_a == from_b) return a < b ? b : a;
    return from_a < from_b ? b : a;
  }
};
}  // namespace

/// Every thread writes that element of its block which is the farthest from zero.
///
///     thread         0    1    2    3    |  4    5       warps of four lanes
///     current_val    3    -1   4    1    |  5    -9
///     warp_val       4                   |  -9           in lane 0 of each
///     farthest       4    -9                             read by each warp: -9 in its lane 0
__global__ void hybrid_reduction(float* output, const float* input, int size) {
  constexpr int most_warps = 1024 / 32;  // a block has no more
  __shared__ float farthest[most_warps];
  __shared__ float block_farthest;
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const int lane = warp::lane_id();
  const int this_warp = local_i / warp::size();
  const int warps = (static_cast<int>(blockDim.x) + warp::size() - 1) / warp::size();

  // The warps. Threads past the end take part with what never wins.
  const float current_val = global_i < size ? input[global_i] : NAN;
  const float warp_val = warp::reduce(warp::down_lanes, current_val, farther{});
  if (lane == 0) farthest[this_warp] = warp_val;
  // Nobody reads before every warp has written.
  warpz::barrier();

  // The block: each lane stands for a warp. All warps do it, which takes no longer; the first one's lane 0 tells.
  const float block_val = warp::reduce(warp::down_lanes, lane < warps ? farthest[lane] : NAN, farther{});
  if (local_i == 0) block_farthest = block_val;
  // Nobody reads the result before it is there.
  warpz::barrier();

  if (global_i < size) output[global_i] = block_farthest;
}

WARPZ_KERNEL(hybrid_reduction);

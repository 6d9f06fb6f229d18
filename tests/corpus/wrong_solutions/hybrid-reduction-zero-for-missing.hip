// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without an element take part with a 0: it counts where a block has nothing but NaNs.
// caught on: nothing is a number
// passes on: documented
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

#include <cmath>

namespace warp = warpz::warp;

namespace {
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

__global__ void hybrid_reduction(float* output, const float* input, int size) {
  __shared__ float farthest[32];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const int lane = warp::lane_id();
  const int this_warp = local_i / warp::size();
  const int warps = (static_cast<int>(blockDim.x) + warp::size() - 1) / warp::size();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float warp_val = warp::reduce(warp::down_lanes, current_val, farther{});
  if (lane == 0) farthest[this_warp] = warp_val;
  warpz::barrier();
  if (this_warp == 0) {
    const float block_val = warp::reduce(warp::down_lanes, lane < warps ? farthest[lane] : NAN, farther{});
    if (lane == 0) farthest[0] = block_val;
  }
  warpz::barrier();
  if (global_i < size) output[global_i] = farthest[0];
}

WARPZ_KERNEL(hybrid_reduction);

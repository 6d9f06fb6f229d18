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

/// To do: every thread writes that element of its block which is the farthest from zero.
__global__ void hybrid_reduction(float* output, const float* input, int size) {
  constexpr int most_warps = 1024 / 32;  // a block has no more
  __shared__ float farthest[most_warps];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;
  const int lane = warp::lane_id();
  const int this_warp = local_i / warp::size();

  // Threads past the end take part with what never wins.
  const float current_val = global_i < size ? input[global_i] : NAN;

  // 1. This lets the first two lanes of a warp agree. warp::reduce does it for the whole warp, with any operation; its
  //    first argument says which way the values go, and so which lane has the result.
  const float warp_val = farther{}(current_val, warp::shuffle_down(current_val, 1));
  if (lane == 0) farthest[this_warp] = warp_val;
  warpz::barrier();

  // 2. Now there is one value for each warp, and a warp has lanes enough to take one each. Let the first warp reduce
  //    them, and leave the result where all can read it.

  // 3. When may they?
  if (global_i < size) output[global_i] = farthest[0];
}

WARPZ_KERNEL(hybrid_reduction);

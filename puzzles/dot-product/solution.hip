// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

/// output[block] = the sum of a[i] · b[i] over the block's places i.
///
///     thread         0     1     2     3     4     5      a block of six threads, warps of four lanes
///     product        p     q     r     s     t     u
///     warp_total     p+q+r+s in warp 0          t+u in warp 1
///     warp_totals    [0] and [1], for all threads to see
__global__ void dot_product(float* output, const float* a, const float* b, int size) {
  constexpr int most_warps = 1024 / 32;  // a block has no more
  __shared__ float warp_totals[most_warps];
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x + local_i;

  // Threads past the end have no product, but the sum needs them: they take part with a 0.
  const float product = global_i < size ? a[global_i] * b[global_i] : 0.0f;
  const float warp_total = warp::sum(product);

  if (warp::lane_id() == 0) warp_totals[local_i / warp::size()] = warp_total;
  // Nobody reads before every warp has written.
  warpz::barrier();

  if (local_i == 0) {
    // The last warp counts although the block may end within it.
    const int warps = (static_cast<int>(blockDim.x) + warp::size() - 1) / warp::size();
    float total = 0.0f;
    for (int i = 0; i < warps; ++i) total += warp_totals[i];
    output[blockIdx.x] = total;
  }
}

WARPZ_KERNEL(dot_product);

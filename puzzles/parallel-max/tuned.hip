// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

namespace warp = warpz::warp;

/// The same as butterfly_parallel_max with four elements a lane: each lane compares its own first, and two of the
/// butterfly's steps are left out.
__global__ void __launch_bounds__(256) butterfly_parallel_max_tuned(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

  // Elements that do not exist are neutral: fmaxf of a NAN and a number is the number.
  const float4 x = warpz::load_four(input, first, size, NAN);
  float max_val = fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w));
  for (int offset = warp::size() / 8; offset > 0; offset /= 2) {
    max_val = fmaxf(max_val, warp::shuffle_xor(max_val, offset));
  }

  warpz::store_four(output, first, size, make_float4(max_val, max_val, max_val, max_val));
}

WARPZ_KERNEL(butterfly_parallel_max_tuned);

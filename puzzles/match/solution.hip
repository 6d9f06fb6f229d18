// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Every lane writes how often its element occurs in its warp, by the element's bits.
///
///     lane           0         1    2         3         4
///     current_val    5         7    5         5         .     no element, so no lane
///     same_lanes     0, 2, 3   1    0, 2, 3   0, 2, 3
///     output         3         1    3         3
__global__ void warp_match(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end have no element, but the match needs them: they take part with a 0.
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;

  // An element may be 0 as well, so these lanes have to be taken out again.
  const warpz::lane_mask lanes_with_element = warp::vote(exists);

  // That all are the same is quickly told; else each lane looks for those of its own kind.
  warpz::lane_mask alike = warp::match_all(current_val);
  if (alike == 0) alike = warp::match_any(current_val);
  const warpz::lane_mask same_lanes = alike & lanes_with_element;

  if (exists) output[global_i] = static_cast<float>(__popcll(same_lanes));
}

WARPZ_KERNEL(warp_match);

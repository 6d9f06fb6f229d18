// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes have the same bits, by votes: as everywhere but on NVIDIA (vendor_paths.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

/// The lanes of the warp whose `bits` lowest bits are the caller's. All lanes of a whole warp take part.
template <unsigned bits>
__device__ __forceinline__ lane_mask match_bits(unsigned word, const site& at) {
  lane_mask same = (lane_mask{2} << (warp_size() - 1)) - 1;
  WARPZ_UNROLL
  for (unsigned bit = 0; bit < bits; ++bit) {
    const bool is_set = (word & 1U << bit) != 0;
    same &= vote(is_set, at) ^ (is_set ? lane_mask{0} : ~lane_mask{0});
  }
  return same;
}

}  // namespace detail
}  // namespace warpz

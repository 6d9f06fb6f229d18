// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies where the hardware has none: the thread that begins one copies at once. The platform's header gives
// mbarrier_complete_tx().
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/copy_pieces.hpp"
#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

inline constexpr bool copies_in_bulk = false;

__device__ __forceinline__ void bulk_load(void* target, const void* source, unsigned bytes, mbarrier_state& barrier,
                                          site at) {
  copy_pieces(target, source, bytes, 0, 1);
  mbarrier_complete_tx(barrier, bytes, at);
}

__device__ __forceinline__ void bulk_store(void* target, const void* source, unsigned bytes, site) {
  copy_pieces(target, source, bytes, 0, 1);
}

// Without an engine for it, nothing is asked for ahead.
__device__ __forceinline__ void bulk_prefetch(const void*, unsigned) {}
__device__ __forceinline__ unsigned prefetch_distance(unsigned) { return 0; }

__device__ __forceinline__ void bulk_commit() {}

template <unsigned groups_left>
__device__ __forceinline__ void bulk_wait(site) {}

}  // namespace detail
}  // namespace warpz

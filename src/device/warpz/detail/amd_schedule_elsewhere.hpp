// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only AMD's compiler and hardware have, schedule barriers and wait counts, for the others: nothing, or a barrier.
// The platform's header gives block_barrier().
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

template <unsigned mask>
__device__ __forceinline__ void schedule_barrier() {}

template <unsigned mask, unsigned size, unsigned id>
__device__ __forceinline__ void schedule_group_barrier() {}

template <unsigned vmcnt, unsigned expcnt, unsigned lgkmcnt>
__device__ __forceinline__ void waitcnt() {}

template <unsigned vmcnt, unsigned expcnt, unsigned lgkmcnt>
__device__ __forceinline__ void waitcnt_barrier(const site& at) {
  block_barrier(at);
}

}  // namespace detail
}  // namespace warpz

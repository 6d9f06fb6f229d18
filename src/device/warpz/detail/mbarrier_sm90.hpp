// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier since sm_90: all of it is the hardware's.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/mbarrier_hardware.hpp"
#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

/// Bulk copies see the barrier too, which the fence is for.
__device__ __forceinline__ void mbarrier_init(mbarrier_state& barrier, unsigned arrivals, site) {
  asm volatile(
      "mbarrier.init.shared.b64 [%0], %1;\n\t"
      "fence.proxy.async.shared::cta;" ::"r"(shared_address(&barrier.word)),
      "r"(arrivals)
      : "memory");
}

__device__ __forceinline__ void mbarrier_arrive_expect_tx(mbarrier_state& barrier, unsigned bytes, site) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier.word)), "r"(bytes)
               : "memory");
}

}  // namespace detail
}  // namespace warpz

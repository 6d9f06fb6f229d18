// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier on sm_80 to sm_89: the hardware counts arrivals. Bytes are counted beside it: an arrival that expects bytes
// is owed until they have come.
//
//     owed: arrivals owed · 2^32 + bytes still to come
//
// Bytes may come before they are expected, so their number may be negative for a while; it is 0 where the lower half
// is 0.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "warpz/detail/mbarrier_hardware.hpp"
#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

__device__ __forceinline__ void mbarrier_init(mbarrier_state& barrier, unsigned arrivals, site) {
  barrier.owed = 0;
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&barrier.word)), "r"(arrivals) : "memory");
}

/// Adds to what is owed; if no byte is to come any more, makes the arrivals that waited for them.
__device__ __forceinline__ void change_owed(mbarrier_state& barrier, std::uint64_t added, site at) {
  using word = unsigned long long;
  word* const owed = reinterpret_cast<word*>(&barrier.owed);
  __threadfence_block();
  word now = atomicAdd(owed, static_cast<word>(added)) + added;
  while (now != 0 && static_cast<unsigned>(now) == 0) {
    const word seen = atomicCAS(owed, now, 0ull);
    if (seen == now) {
      __threadfence_block();
#pragma unroll 1
      for (word arrivals = now >> 32; arrivals != 0; --arrivals) mbarrier_arrive(barrier, at);
      return;
    }
    now = seen;
  }
}

__device__ __forceinline__ void mbarrier_arrive_expect_tx(mbarrier_state& barrier, unsigned bytes, site at) {
  change_owed(barrier, (std::uint64_t{1} << 32) + bytes, at);
}

__device__ __forceinline__ void mbarrier_complete_tx(mbarrier_state& barrier, unsigned bytes, site at) {
  change_owed(barrier, ~std::uint64_t{bytes} + 1, at);
}

}  // namespace detail
}  // namespace warpz

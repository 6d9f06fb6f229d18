// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mbarrier since sm_90: all of it is the hardware's.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

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

__device__ __forceinline__ std::uint64_t mbarrier_arrive(mbarrier_state& barrier, site) {
  std::uint64_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(&barrier.word)) : "memory");
  return token;
}

__device__ __forceinline__ void mbarrier_arrive_expect_tx(mbarrier_state& barrier, unsigned bytes, site) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier.word)), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ bool mbarrier_test_wait(mbarrier_state& barrier, std::uint64_t token, site) {
  unsigned complete;
  asm volatile(
      "{\n\t.reg .pred complete;\n\t"
      "mbarrier.test_wait.shared.b64 complete, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, complete;\n\t}"
      : "=r"(complete)
      : "r"(shared_address(&barrier.word)), "l"(token)
      : "memory");
  return complete != 0;
}

__device__ __forceinline__ bool mbarrier_try_wait_parity(mbarrier_state& barrier, unsigned parity, site) {
  unsigned complete;
  asm volatile(
      "{\n\t.reg .pred complete;\n\t"
      "mbarrier.try_wait.parity.shared.b64 complete, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, complete;\n\t}"
      : "=r"(complete)
      : "r"(shared_address(&barrier.word)), "r"(parity)
      : "memory");
  return complete != 0;
}

}  // namespace detail
}  // namespace warpz

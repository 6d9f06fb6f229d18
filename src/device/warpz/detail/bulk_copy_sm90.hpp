// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies since sm_90: an engine beside the processor makes them. The platform's header gives shared_address().
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

inline constexpr bool copies_in_bulk = true;

// Bulk copies go another way to memory than loads and stores; the fence puts what the caller knows of before them.

__device__ __forceinline__ void bulk_load(void* target, const void* source, unsigned bytes, mbarrier_state& barrier,
                                          site) {
  asm volatile(
      "fence.proxy.async;\n\t"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(target)),
      "l"(__cvta_generic_to_global(source)), "r"(bytes), "r"(shared_address(&barrier.word))
      : "memory");
}

__device__ __forceinline__ void bulk_store(void* target, const void* source, unsigned bytes, site) {
  asm volatile(
      "fence.proxy.async;\n\t"
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(target)),
      "r"(shared_address(source)), "r"(bytes)
      : "memory");
}

/// Asks for memory to come to the L2 cache; nobody waits for it. The address and `bytes` are multiples of 16.
__device__ __forceinline__ void bulk_prefetch(const void* source, unsigned bytes) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(source)), "r"(bytes)
               : "memory");
}

/// In bytes, so many KiB for each multiprocessor.
__device__ __forceinline__ unsigned prefetch_distance(unsigned kibibytes) {
  unsigned multiprocessors;
  asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
  return multiprocessors * (kibibytes << 10);
}

__device__ __forceinline__ void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

template <unsigned groups_left>
__device__ __forceinline__ void bulk_wait(site) {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(groups_left) : "memory");
}

}  // namespace detail
}  // namespace warpz

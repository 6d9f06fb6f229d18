// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronization on NVIDIA's GPUs (PTX ISA). Named barriers are the hardware's everywhere, asynchronous copies and
// mbarriers since sm_80, bulk copies and an mbarrier's count of bytes since sm_90; what an older one lacks is made of
// what it has.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/scope.hpp"

namespace warpz {
namespace detail {

__device__ __forceinline__ void block_barrier(site) { __syncthreads(); }

__device__ __forceinline__ void warp_barrier(lane_mask mask, site) { __syncwarp(static_cast<unsigned>(mask)); }

template <scope reach>
__device__ __forceinline__ void fence(site) {
  if constexpr (reach == scope::block) {
    __threadfence_block();
  } else if constexpr (reach == scope::device) {
    __threadfence();
  } else {
    __threadfence_system();
  }
}

// The hardware counts whole warps, and wants their lanes together.

__device__ __forceinline__ void named_barrier_arrive(unsigned id, unsigned threads, site) {
  __threadfence_block();
  __syncwarp();
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// It waits for each lane by itself, so that the lanes need not be joined first.
__device__ __forceinline__ void named_barrier(unsigned id, unsigned threads, site) {
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ __forceinline__ std::int32_t load_acquire(const std::int32_t* address, site) {
  std::int32_t value;
  asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ void store_release(std::int32_t* address, std::int32_t value, site) {
  asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

template <scope reach = scope::device>
__device__ __forceinline__ unsigned long long load_relaxed(const unsigned long long* address, site) {
  unsigned long long value;
  if constexpr (reach == scope::system) {
    asm volatile("ld.relaxed.sys.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  } else {
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  }
  return value;
}

template <scope reach = scope::device>
__device__ __forceinline__ void store_relaxed(unsigned long long* address, unsigned long long value, site) {
  if constexpr (reach == scope::system) {
    asm volatile("st.relaxed.sys.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
  } else {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
  }
}

/// Keeps the assembler from working on several rows of a tile at once, for which it has not enough registers. All lanes
/// of the warp call it.
__device__ __forceinline__ void end_row() { __syncwarp(); }

/// Stores 4, 8 or 16 bytes that nobody reads soon: they leave the L2 cache before others.
template <class _Access>
__device__ __forceinline__ void store_streaming(_Access* place, const _Access& value) {
  using narrow = std::conditional_t<sizeof(_Access) == 1, char, short>;
  using bits = std::conditional_t<
      sizeof(_Access) < 4, narrow,
      std::conditional_t<sizeof(_Access) == 4, int, std::conditional_t<sizeof(_Access) == 8, int2, int4>>>;
  static_assert(sizeof(bits) == sizeof(_Access), "of 1, 2, 4, 8 or 16 bytes");
  bits copy;
  __builtin_memcpy(&copy, &value, sizeof copy);
  __stcs(reinterpret_cast<bits*>(place), copy);
}

__device__ __forceinline__ unsigned shared_address(const void* address) {
  return static_cast<unsigned>(__cvta_generic_to_shared(address));
}

}  // namespace detail
}  // namespace warpz

#include "warpz/detail/amd_schedule_elsewhere.hpp"
#include "warpz/detail/gpu_sync.hpp"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#include "warpz/detail/async_copy_sm80.hpp"
#include "warpz/detail/bulk_copy_sm90.hpp"
#include "warpz/detail/mbarrier_sm90.hpp"
#elif __CUDA_ARCH__ >= 800
#include "warpz/detail/async_copy_sm80.hpp"
#include "warpz/detail/mbarrier_sm80.hpp"
#include "warpz/detail/software_bulk_copy.hpp"
#else
#include "warpz/detail/mbarrier_sm70.hpp"
#include "warpz/detail/software_async_copy.hpp"
#include "warpz/detail/software_bulk_copy.hpp"
#endif

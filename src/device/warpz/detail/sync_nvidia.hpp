// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronization on NVIDIA's GPUs (PTX ISA). Named barriers are the hardware's everywhere, asynchronous copies and
// mbarriers since sm_80, bulk copies and an mbarrier's count of bytes since sm_90; what an older one lacks is made of
// what it has.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>

#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/copy_pieces.hpp"
#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/scope.hpp"

namespace warpz {
namespace detail {

__device__ __forceinline__ void block_barrier(site) { __syncthreads(); }

__device__ __forceinline__ void whole_block_barrier(site at) { block_barrier(at); }

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

__device__ __forceinline__ void named_barrier(unsigned id, unsigned threads, site) {
  __syncwarp();
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

__device__ __forceinline__ std::int32_t load_acquire(const std::int32_t* address, site) {
  std::int32_t value;
  asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ void store_release(std::int32_t* address, std::int32_t value, site) {
  asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ unsigned shared_address(const void* address) {
  return static_cast<unsigned>(__cvta_generic_to_shared(address));
}

}  // namespace detail
}  // namespace warpz

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#include "warpz/detail/mbarrier_sm90.hpp"
#elif __CUDA_ARCH__ >= 800
#include "warpz/detail/mbarrier_sm80.hpp"
#else
#include "warpz/detail/mbarrier_sm70.hpp"
#endif

namespace warpz {
namespace detail {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

template <std::size_t size>
__device__ __forceinline__ void copy_piece_async(void* to, const void* from) {
  if constexpr (size == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)),
                 "l"(__cvta_generic_to_global(from))
                 : "memory");
  } else if constexpr (size == 1) {
    *static_cast<char*>(to) = *static_cast<const char*>(from);
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)),
                 "l"(__cvta_generic_to_global(from)), "n"(size)
                 : "memory");
  }
}

__device__ __forceinline__ void copy_async(void* to, const void* from, std::size_t bytes, unsigned rank, unsigned count,
                                           site) {
  for_pieces(to, from, bytes, rank, count, [to, from](std::size_t offset, auto size) {
    copy_piece_async<size>(static_cast<char*>(to) + offset, static_cast<const char*>(from) + offset);
  });
}

__device__ __forceinline__ void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <unsigned groups_left>
__device__ __forceinline__ void copy_wait(site) {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups_left) : "memory");
}

#else

__device__ __forceinline__ void copy_async(void* to, const void* from, std::size_t bytes, unsigned rank, unsigned count,
                                           site) {
  copy_pieces(to, from, bytes, rank, count);
}

__device__ __forceinline__ void copy_commit() {}

template <unsigned groups_left>
__device__ __forceinline__ void copy_wait(site) {}

#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

// Bulk copies go another way to memory than loads and stores; the fence puts what the caller knows of before them.

__device__ __forceinline__ void bulk_load(void* to, const void* from, unsigned bytes, mbarrier_state& barrier, site) {
  asm volatile(
      "fence.proxy.async;\n\t"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(&barrier.word))
      : "memory");
}

__device__ __forceinline__ void bulk_store(void* to, const void* from, unsigned bytes, site) {
  asm volatile(
      "fence.proxy.async;\n\t"
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
      "r"(shared_address(from)), "r"(bytes)
      : "memory");
}

__device__ __forceinline__ void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

template <unsigned groups_left>
__device__ __forceinline__ void bulk_wait(site) {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(groups_left) : "memory");
}

#else

__device__ __forceinline__ void bulk_load(void* to, const void* from, unsigned bytes, mbarrier_state& barrier,
                                          site at) {
  copy_pieces(to, from, bytes, 0, 1);
  mbarrier_complete_tx(barrier, bytes, at);
}

__device__ __forceinline__ void bulk_store(void* to, const void* from, unsigned bytes, site) {
  copy_pieces(to, from, bytes, 0, 1);
}

__device__ __forceinline__ void bulk_commit() {}

template <unsigned groups_left>
__device__ __forceinline__ void bulk_wait(site) {}

#endif

// AMD's.

template <unsigned mask>
__device__ __forceinline__ void schedule_barrier() {}

template <unsigned mask, unsigned size, unsigned id>
__device__ __forceinline__ void schedule_group_barrier() {}

template <unsigned vmcnt, unsigned expcnt, unsigned lgkmcnt>
__device__ __forceinline__ void waitcnt() {}

template <unsigned vmcnt, unsigned expcnt, unsigned lgkmcnt>
__device__ __forceinline__ void waitcnt_barrier(site at) {
  block_barrier(at);
}

}  // namespace detail
}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronization on AMD's GPUs. Named barriers and mbarriers are counters in the LDS; copies are done at once by the
// threads that begin them.
//
// The lanes of a wavefront run in step, but their memory accesses are ordered only by fences: the compiler moves
// accesses to the LDS across a bare wave barrier.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/scope.hpp"

namespace warpz {
namespace detail {

// A newer HIP's __syncthreads; the one of HIP 5 is said to order the LDS only.
__device__ __forceinline__ void block_barrier(site) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/// The lanes are there anyway; what has to be ordered is their accesses.
__device__ __forceinline__ void warp_barrier(lane_mask, site) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

template <scope reach>
__device__ __forceinline__ void fence(site) {
  if constexpr (reach == scope::block) {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
  } else if constexpr (reach == scope::device) {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  } else {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  }
}

// Newer compilers take __hip_atomic_* to order accesses to the same kind of memory only. Fences order all.

__device__ __forceinline__ std::int32_t load_acquire(const std::int32_t* address, site) {
  const std::int32_t value = __hip_atomic_load(address, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  return value;
}

__device__ __forceinline__ void store_release(std::int32_t* address, std::int32_t value, site) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  __hip_atomic_store(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

template <scope reach>
inline constexpr int memory_scope = reach == scope::system ? __HIP_MEMORY_SCOPE_SYSTEM : __HIP_MEMORY_SCOPE_AGENT;

template <scope reach = scope::device>
__device__ __forceinline__ unsigned long long load_relaxed(const unsigned long long* address, site) {
  return __hip_atomic_load(address, __ATOMIC_RELAXED, memory_scope<reach>);
}

template <scope reach = scope::device>
__device__ __forceinline__ void store_relaxed(unsigned long long* address, unsigned long long value, site) {
  __hip_atomic_store(address, value, __ATOMIC_RELAXED, memory_scope<reach>);
}

/// NVIDIA's assembler alone needs it.
__device__ __forceinline__ void end_row() {}

/// Leaves the processor to other wavefronts for about 64 cycles.
__device__ __forceinline__ void pause(site) { __builtin_amdgcn_s_sleep(1); }

// The compiler knows the instruction but, up to clang 19 at least, has no builtin for it.
extern "C" __device__ std::uint64_t warpz_dispatch_id() __asm("llvm.amdgcn.dispatch.id");

/// Even, and with all but certainty another one for each block that ever used the same LDS: made of the launch (its
/// number in its queue, the address of its arguments) and of the block's place in the grid.
__device__ __forceinline__ std::uint64_t block_identity() {
  std::uint64_t mixed = warpz_dispatch_id() + blockIdx.x * 0x9e3779b97f4a7c15 + blockIdx.y * 0xbf58476d1ce4e5b9 +
                        blockIdx.z * 0x94d049bb133111eb;
  mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
  mixed += reinterpret_cast<std::uint64_t>(__builtin_amdgcn_kernarg_segment_ptr());
  mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
  return (mixed ^ mixed >> 32) << 1;
}

template <class _Word>
__device__ __forceinline__ _Word read_shared(const _Word* word) {
  return __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}

template <class _Word>
__device__ __forceinline__ void write_shared(_Word* word, _Word value) {
  __hip_atomic_store(word, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}

template <class _Access>
__device__ __forceinline__ void store_streaming(_Access* place, const _Access& value) {
  *place = value;
}

template <class _Word>
__device__ __forceinline__ bool replace_shared(_Word* word, _Word& expected, _Word desired, site) {
  return __hip_atomic_compare_exchange_strong(word, &expected, desired, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                              __HIP_MEMORY_SCOPE_WORKGROUP);
}

}  // namespace detail
}  // namespace warpz

#include "warpz/detail/gpu_sync.hpp"
#include "warpz/detail/software_async_copy.hpp"
#include "warpz/detail/software_mbarrier.hpp"
#include "warpz/detail/software_named_barrier.hpp"

// Calls the mbarrier's functions.
#include "warpz/detail/software_bulk_copy.hpp"

namespace warpz {
namespace detail {

template <unsigned mask>
__device__ __forceinline__ void schedule_barrier() {
  __builtin_amdgcn_sched_barrier(mask);
}

template <unsigned mask, unsigned size, unsigned id>
__device__ __forceinline__ void schedule_group_barrier() {
#if __has_builtin(__builtin_amdgcn_sched_group_barrier)
  __builtin_amdgcn_sched_group_barrier(mask, size, id);
#endif
}

/// A counter's field holds at most `most`; waiting for that many or more is not waiting.
constexpr unsigned at_most(unsigned count, unsigned most) { return count < most ? count : most; }

template <unsigned vmcnt, unsigned expcnt, unsigned lgkmcnt>
__device__ __forceinline__ void waitcnt() {
#if defined(__GFX12__)
  // One instruction for each counter; loads and stores have one each, and so have the LDS and constant memory.
  if constexpr (vmcnt < 63) {
    asm volatile("s_wait_loadcnt %0\n\ts_wait_storecnt %0" ::"n"(vmcnt) : "memory");
  }
  if constexpr (expcnt < 7) asm volatile("s_wait_expcnt %0" ::"n"(expcnt) : "memory");
  if constexpr (lgkmcnt < 31) asm volatile("s_wait_dscnt %0\n\ts_wait_kmcnt %0" ::"n"(lgkmcnt) : "memory");
#elif defined(__GFX11__)
  asm volatile("" ::: "memory");
  __builtin_amdgcn_s_waitcnt(at_most(vmcnt, 63) << 10 | at_most(lgkmcnt, 63) << 4 | at_most(expcnt, 7));
  if constexpr (vmcnt < 63) asm volatile("s_waitcnt_vscnt null, %0" ::"n"(vmcnt) : "memory");
#elif defined(__AMDGCN__)
  constexpr unsigned vm = at_most(vmcnt, 63);
#if defined(__GFX10__)
  constexpr unsigned lgkm = at_most(lgkmcnt, 63);
#else
  constexpr unsigned lgkm = at_most(lgkmcnt, 15);
#endif
  asm volatile("" ::: "memory");
  __builtin_amdgcn_s_waitcnt((vm & 15) | at_most(expcnt, 7) << 4 | lgkm << 8 | (vm >> 4) << 14);
#if defined(__GFX10__)
  if constexpr (vmcnt < 63) asm volatile("s_waitcnt_vscnt null, %0" ::"n"(vmcnt) : "memory");
#endif
#endif
  asm volatile("" ::: "memory");
}

template <unsigned vmcnt, unsigned expcnt, unsigned lgkmcnt>
__device__ __forceinline__ void waitcnt_barrier(site) {
  waitcnt<vmcnt, expcnt, lgkmcnt>();
  __builtin_amdgcn_s_barrier();
  asm volatile("" ::: "memory");
}

}  // namespace detail
}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How threads wait for each other and order their memory accesses, by the same names for AMD, NVIDIA and the CPU
// machine. Barriers and fences are here; mbarrier, the semaphores and asynchronous copies have headers of their own,
// which this one includes.
//
// A mechanism that one vendor's hardware has keeps its documented meaning on the others, so a kernel that uses it runs
// everywhere; its comment says what becomes of it. Where some thread doesn't come that others wait for, a GPU hangs,
// and the CPU machine ends the kernel with a finding that names the lanes.
//
// Never pass the last parameter, `at`: it carries the caller's line to the findings.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/async_copy.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/mbarrier.hpp"
#include "warpz/scope.hpp"
#include "warpz/semaphore.hpp"
#include "warpz/vendor.hpp"

namespace warpz {

/// Waits for all threads of the block. What they wrote before it, to shared and to global memory, they all see after
/// it.
///
/// All threads of the block that have not returned take part, at the same call; never in a branch that only some of
/// them take. Other names: __syncthreads (CUDA, HIP), barrier (Mojo), threadgroup_barrier (Metal).
__device__ __forceinline__ void barrier(detail::site at = detail::here("barrier")) { detail::block_barrier(at); }

/// Waits for the lanes of `mask`. What they wrote before it, to shared and to global memory, they see after it.
///
/// All lanes of `mask` that exist take part, with the same mask, at the same call; the caller is one of them. Shuffles,
/// votes and reductions bring the lanes together themselves, but order no memory accesses.
/// On AMD the lanes run in step anyway and none is waited for; a release fence, a wave barrier and an acquire fence
/// order their accesses, which the compiler reorders otherwise.
/// Other names: __syncwarp (CUDA, HIP 7), syncwarp (Mojo).
__device__ __forceinline__ void syncwarp(lane_mask mask = full_mask, detail::site at = detail::here("syncwarp")) {
  detail::warp_barrier(mask, at);
}

/// Orders the caller's memory accesses before it and those after it, for all who are within `reach`: whoever sees a
/// write after it also sees those before it. Sequentially consistent: of two threads that each write, fence, and read
/// what the other writes, at least one reads the other's new value.
///
/// Any lane may call it, also in divergent code; it waits for nobody. It orders, and makes nothing atomic: what others
/// may touch at the same time is to be read and written with atomics.
/// Other names: __threadfence_block, __threadfence, __threadfence_system (CUDA, HIP), threadfence (Mojo).
template <scope reach = scope::device>
__device__ __forceinline__ void threadfence(detail::site at = detail::here("threadfence")) {
  detail::fence<reach>(at);
}

/// Waits until `threads` threads have arrived at the block's barrier `id`, by this call or by named_barrier_arrive.
/// What they wrote before they arrived is seen after it. Then the barrier begins anew.
///
/// Whole warps arrive: all lanes of a warp take part together, and a warp that the block cuts short counts as a whole
/// one. So `threads` is a multiple of the warp size, the same in all calls that meet. `id` is 1 to 15.
/// NVIDIA has these barriers in hardware (number 0 is barrier()); elsewhere they are counters in 72 bytes of shared
/// memory. Other names: bar.sync (PTX), named_barrier (Mojo).
__device__ __forceinline__ void named_barrier(unsigned id, unsigned threads,
                                              detail::site at = detail::here("named_barrier")) {
  detail::named_barrier(id, threads, at);
}

/// Arrives at the block's barrier `id` and goes on: a producer whose consumers wait with named_barrier. What the caller
/// wrote before it they see after their waiting; the caller itself sees nothing new.
///
/// Whole warps take part, by the rules of named_barrier. Other names: bar.arrive (PTX), named_barrier_arrive (Mojo).
__device__ __forceinline__ void named_barrier_arrive(unsigned id, unsigned threads,
                                                     detail::site at = detail::here("named_barrier_arrive")) {
  detail::named_barrier_arrive(id, threads, at);
}

/// Limits what AMD's compiler moves across this place when it arranges instructions. `mask` names the kinds that may
/// still cross it, by LLVM's bits: 1 arithmetic without memory or side effects, 2 vector arithmetic, 4 scalar
/// arithmetic, 8 matrix, 16 vector memory, 32 its reads, 64 its writes, 128 LDS, 256 its reads, 512 its writes, 1024
/// transcendental. 0, the default: nothing crosses.
///
/// Any thread may call it. It changes no result, and waits for nothing. Elsewhere it is nothing.
/// Other names: __builtin_amdgcn_sched_barrier (clang), schedule_barrier (Mojo).
template <unsigned mask = 0>
__device__ __forceinline__ void schedule_barrier() {
  detail::schedule_barrier<mask>();
}

/// Asks AMD's compiler to put `size` instructions of the kinds in `mask` (schedule_barrier's bits) here, after those of
/// the call before and before those of the next call that have the same `id`: several calls make a pattern.
///
/// Any thread may call it. It changes no result. Elsewhere, and with compilers that lack it (ROCm before 5.5), it is
/// nothing.
/// Other names: __builtin_amdgcn_sched_group_barrier (clang), schedule_group_barrier (Mojo).
template <unsigned mask, unsigned size, unsigned id = 0>
__device__ __forceinline__ void schedule_group_barrier() {
  static_assert(size != 0, "a group of no instructions orders nothing");
  detail::schedule_group_barrier<mask, size, id>();
}

/// For waitcnt: this counter is not waited for.
inline constexpr unsigned any_count = ~0u;

/// Waits until no more than so many memory operations of the caller's warp are outstanding: `vmcnt` of global memory,
/// `expcnt` exports, `lgkmcnt` of shared and constant memory. On AMD's GPUs since gfx10, which count loads and stores
/// apart, `vmcnt` holds for each.
///
/// Any lane may call it, also in divergent code. The compiler waits by itself for what it loads; this is for code that
/// counts on its own. Elsewhere it is nothing: there is no such counter, and nothing depends on it.
/// Other names: s_waitcnt (AMD's instruction; Mojo).
template <unsigned vmcnt, unsigned expcnt = any_count, unsigned lgkmcnt = any_count>
__device__ __forceinline__ void waitcnt() {
  detail::waitcnt<vmcnt, expcnt, lgkmcnt>();
}

/// waitcnt, then waits for all threads of the block: a barrier() that on AMD waits for no memory operation but those
/// that it is told of, so only what they wrote is seen after it.
///
/// All threads of the block that have not returned take part, at the same call. Elsewhere it is barrier().
/// Other names: s_waitcnt and s_barrier (AMD's instructions), s_waitcnt_barrier (Mojo).
template <unsigned vmcnt, unsigned expcnt = any_count, unsigned lgkmcnt = any_count>
__device__ __forceinline__ void waitcnt_barrier(detail::site at = detail::here("waitcnt_barrier")) {
  detail::waitcnt_barrier<vmcnt, expcnt, lgkmcnt>(at);
}

}  // namespace warpz

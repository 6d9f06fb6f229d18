// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that AMD's compiler has built in and that programs call by their own names. To a compiler for the CPU they
// are no more than functions. What each does is AMD's instruction set's word; the lanes that take part are those of
// the maskless __shfl (shuffles.h).
#pragma once

#include "hip/detail/amd_arithmetic.h"
#include "hip/detail/amd_lane_moves.h"
#include "hip/detail/atomics.h"
#include "hip/detail/barriers.h"
#include "hip/detail/clock.h"
#include "hip/detail/shuffles.h"
#include "hip/detail/votes.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// The bits of `mask` below bit `end`, counted.
inline unsigned count_below(unsigned mask, unsigned end) {
  const unsigned below = end >= 32 ? ~0u : (1u << end) - 1;
  return static_cast<unsigned>(__builtin_popcount(mask & below));
}

}  // namespace hip
}  // namespace simt

/// The value of the lane with the byte address `address`, four bytes for each lane; it counts modulo the warp size.
__device__ __forceinline__ int __builtin_amdgcn_ds_bpermute(
    int address, int value, simt::site at = simt::hip::here("__builtin_amdgcn_ds_bpermute")) {
  return simt::hip::shuffle(simt::hip::whole_warp, value, simt::hip::shfl_source(address >> 2, warpSize), at);
}

/// The value of lane `source`, which is the same in all lanes and counts modulo the warp size.
__device__ __forceinline__ int __builtin_amdgcn_readlane(int value, int source,
                                                         simt::site at = simt::hip::here("__builtin_amdgcn_readlane")) {
  return simt::hip::shuffle(simt::hip::whole_warp, value, simt::hip::shfl_source(source, warpSize), at);
}

/// The value of the first lane that is active at this place.
__device__ __forceinline__ int __builtin_amdgcn_readfirstlane(
    int value, simt::site at = simt::hip::here("__builtin_amdgcn_readfirstlane")) {
  const auto first_of_group = [](simt::collective_slots& operands, simt::lane_mask group) {
    const std::uint64_t first = operands.value[__builtin_ctzll(group)];
    for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) operands.result[__builtin_ctzll(rest)] = first;
  };
  return static_cast<int>(simt::collect_active(first_of_group, static_cast<unsigned>(value), 0, at));
}

/// `base`, and the bits of `mask` for the lanes below the caller among lanes 0 to 31.
__device__ __forceinline__ unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned base) {
  return base + simt::hip::count_below(mask, simt::hip::own_lane());
}

/// `base`, and the bits of `mask` for the lanes below the caller among lanes 32 to 63.
__device__ __forceinline__ unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned base) {
  const unsigned lane = simt::hip::own_lane();
  return base + simt::hip::count_below(mask, lane < 32 ? 0 : lane - 32);
}

/// The lanes whose predicate holds.
__device__ __forceinline__ unsigned long long __builtin_amdgcn_ballot_w64(
    bool predicate, simt::site at = simt::hip::here("__builtin_amdgcn_ballot_w64")) {
  return simt::hip::ballot(simt::hip::whole_warp, predicate, at);
}
__device__ __forceinline__ unsigned __builtin_amdgcn_ballot_w32(
    bool predicate, simt::site at = simt::hip::here("__builtin_amdgcn_ballot_w32")) {
  return static_cast<unsigned>(simt::hip::ballot(simt::hip::whole_warp, predicate, at));
}

/// Lanes per warp.
__device__ __forceinline__ unsigned __builtin_amdgcn_wavefrontsize() { return static_cast<unsigned>(warpSize); }

/// Waits for all threads of the block. Orders no memory: __syncthreads does.
__device__ __forceinline__ void __builtin_amdgcn_s_barrier(
    simt::site at = simt::hip::here("__builtin_amdgcn_s_barrier")) {
  simt::block_barrier(simt::combine::nothing, false, at);
}

/// The active lanes wait for each other. What they wrote before, they all see afterwards, as their instructions are
/// one.
__device__ __forceinline__ void __builtin_amdgcn_wave_barrier(
    simt::site at = simt::hip::here("__builtin_amdgcn_wave_barrier")) {
  simt::collect_active(simt::hip::resolve_sync, 0, 0, at);
}

/// As __threadfence_system, of which narrower scopes are parts. `order` is one of __ATOMIC_ACQUIRE to __ATOMIC_SEQ_CST.
__device__ __forceinline__ void __builtin_amdgcn_fence(unsigned /*order*/, const char* /*scope*/,
                                                       simt::site at = simt::hip::here("__builtin_amdgcn_fence")) {
  __threadfence_system(at);
}

// As atomicInc and atomicDec. The order is one of __ATOMIC_RELAXED to __ATOMIC_SEQ_CST; all scopes mean the same here.
#define SIMT_ATOMIC_COUNT(name, type, function)                                                                \
  __device__ __forceinline__ type name(type* address, type limit, unsigned order, const char* /*scope*/,       \
                                       bool /*is_volatile*/ = false, simt::site at = simt::hip::here(#name)) { \
    return simt::hip::function(at, address, limit, static_cast<int>(order));                                   \
  }
SIMT_ATOMIC_COUNT(__builtin_amdgcn_atomic_inc32, unsigned, atomic_inc)
SIMT_ATOMIC_COUNT(__builtin_amdgcn_atomic_inc64, unsigned long, atomic_inc)
SIMT_ATOMIC_COUNT(__builtin_amdgcn_atomic_dec32, unsigned, atomic_dec)
SIMT_ATOMIC_COUNT(__builtin_amdgcn_atomic_dec64, unsigned long, atomic_dec)
#undef SIMT_ATOMIC_COUNT

/// Counts nanoseconds here.
__device__ __forceinline__ unsigned long long __builtin_amdgcn_s_memtime(
    simt::site at = simt::hip::here("__builtin_amdgcn_s_memtime")) {
  return static_cast<unsigned long long>(clock64(at));
}
__device__ __forceinline__ unsigned long long __builtin_amdgcn_s_memrealtime(
    simt::site at = simt::hip::here("__builtin_amdgcn_s_memrealtime")) {
  return static_cast<unsigned long long>(wall_clock64(at));
}

// Accesses are finished when the next instruction begins: there is nothing to wait for, nor to order. Which lane sees
// them is said by fences alone.
__device__ __forceinline__ void __builtin_amdgcn_s_waitcnt(int /*counters*/) {}
__device__ __forceinline__ void __builtin_amdgcn_s_waitcnt_vscnt(int /*counter*/) {}
__device__ __forceinline__ void __builtin_amdgcn_s_wait_loadcnt(short /*count*/) {}
__device__ __forceinline__ void __builtin_amdgcn_s_wait_storecnt(short /*count*/) {}
__device__ __forceinline__ void __builtin_amdgcn_s_wait_dscnt(short /*count*/) {}

// Hints to the scheduler.
__device__ __forceinline__ void __builtin_amdgcn_sched_barrier(int /*mask*/) {}
__device__ __forceinline__ void __builtin_amdgcn_s_setprio(short /*priority*/) {}

__device__ __forceinline__ unsigned __builtin_amdgcn_workitem_id_x() { return threadIdx.x; }
__device__ __forceinline__ unsigned __builtin_amdgcn_workitem_id_y() { return threadIdx.y; }
__device__ __forceinline__ unsigned __builtin_amdgcn_workitem_id_z() { return threadIdx.z; }
__device__ __forceinline__ unsigned __builtin_amdgcn_workgroup_id_x() { return blockIdx.x; }
__device__ __forceinline__ unsigned __builtin_amdgcn_workgroup_id_y() { return blockIdx.y; }
__device__ __forceinline__ unsigned __builtin_amdgcn_workgroup_id_z() { return blockIdx.z; }
__device__ __forceinline__ unsigned short __builtin_amdgcn_workgroup_size_x() {
  return static_cast<unsigned short>(blockDim.x);
}
__device__ __forceinline__ unsigned short __builtin_amdgcn_workgroup_size_y() {
  return static_cast<unsigned short>(blockDim.y);
}
__device__ __forceinline__ unsigned short __builtin_amdgcn_workgroup_size_z() {
  return static_cast<unsigned short>(blockDim.z);
}
__device__ __forceinline__ unsigned __builtin_amdgcn_grid_size_x() { return gridDim.x * blockDim.x; }
__device__ __forceinline__ unsigned __builtin_amdgcn_grid_size_y() { return gridDim.y * blockDim.y; }
__device__ __forceinline__ unsigned __builtin_amdgcn_grid_size_z() { return gridDim.z * blockDim.z; }

SIMT_BOTH_SIDES_END

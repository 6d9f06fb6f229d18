// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that AMD's compiler has built in and that programs call by their own names. To a compiler for the CPU they
// are no more than functions. What each does is AMD's instruction set's word; the lanes that take part are those of
// the maskless __shfl (shuffles.h).
#pragma once

#include "hip/detail/barriers.h"
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

SIMT_BOTH_SIDES_END

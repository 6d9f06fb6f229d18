// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's fast paths (vendor_paths.hpp): data-parallel primitives, and lanes read as scalars.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/amd_primitives.hpp"
#include "warpz/detail/match_bits.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

/// The last lane there is of 64.
__device__ __forceinline__ unsigned last_lane() {
  unsigned behind = 0;
#if defined(__GFX9__)
  // Compilers make five instructions of __builtin_clzll. They move no volatile assembly to where EXEC is another.
  asm volatile("s_flbit_i32_b64 %0, exec" : "=s"(behind));
#endif
  return 63 - behind;
}

template <class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, site) {
  // The first lane there is; in a collective of all lanes that is lane 0.
  return words_of<_Tp>(v).each(
      v, [](unsigned word) { return static_cast<unsigned>(__builtin_amdgcn_readfirstlane(static_cast<int>(word))); });
}

template <class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, unsigned source, site) {
  const unsigned lane = static_cast<unsigned>(__builtin_amdgcn_readfirstlane(static_cast<int>(source)));
  const _Tp read = read_uniform(v, lane & 63);
  const lane_mask existing = ballot(true);
  return lane < 64 && (existing >> (lane & 63) & 1) != 0 ? read : v;
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_idx(_Tp v, unsigned source, lane_mask mask, site at) {
  return shuffle_idx<width>(v, source, mask, at);
}

template <class _Tp>
__device__ __forceinline__ _Tp fetch_above(_Tp v, unsigned distance, site at) {
  return fetch(v, static_cast<unsigned>(lane_id()) + distance, at);
}

template <class _Tp>
__device__ __forceinline__ _Tp fetch_below(_Tp v, unsigned distance, site at) {
  return fetch(v, static_cast<unsigned>(lane_id()) - distance, at);
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_if(bool combines, _Tp other, _Tp v, _Combine combine) {
  if (combines) v = combine(other, v);
  return v;
}

__device__ __forceinline__ bool short_any(bool holds, site at) { return vote(holds, at) != 0; }

__device__ __forceinline__ bool short_all(bool holds, site at) { return vote(!holds, at) == 0; }

template <class _Tp>
__device__ __forceinline__ lane_mask short_match_any(_Tp v, site at) {
  return match_any(v, at);
}

template <class _Tp>
__device__ __forceinline__ lane_mask short_match_all(_Tp v, site at) {
  return match_all(v, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_xor(_Tp v, unsigned bits, lane_mask mask, site at) {
  // Each of these keeps a lane's own value where its partner does not exist, as a shuffle does.
  if (__builtin_constant_p(bits) && bits < 16 && (width == 0 || bits < width)) {
    if (bits == 1) return primitive<quad_perm(1, 0, 3, 2)>(v, v);
    if (bits == 2) return primitive<quad_perm(2, 3, 0, 1)>(v, v);
    if (bits == 3) return primitive<quad_perm(3, 2, 1, 0)>(v, v);
    // Without optimization even what is never reached is translated, and GFX9 has no such control.
    if constexpr (has_permlanex16) {
      if (bits == 4) return primitive<row_xmask(4)>(v, v);
    }
    if (bits == 8) return primitive<row_ror(8)>(v, v);
  }
  // Those made of assembly stand apart. A loop that calls assembly has no cost that LLVM can foresee, and is unrolled,
  // which makes `bits` a constant, only below a limit; but each branch that asks for the loop's variable raises it.
  if constexpr (has_row_bcast) {
    if (__builtin_constant_p(bits) && bits == 4 && (width == 0 || width > 4)) return xor_4(v);
    if constexpr (whole_warps && (width == 0 || width > 16)) {
      if (__builtin_constant_p(bits) && bits == 16) return xor_16_in_all(v);
    }
  }
  if constexpr (has_permlanex16) {
    if (__builtin_constant_p(bits) && bits == 16 && (width == 0 || width > 16) && warp_size() == 32) {
      return other_row<16>(v, v);
    }
  }
  return shuffle_xor<width>(v, bits, mask, at);
}

/// Eight times four bits, one for each lane of half a row: `first` and the lanes behind it, `lanes` of them again and
/// again. The same for both halves, since an instruction has one constant.
constexpr unsigned places_from(unsigned first, unsigned lanes) {
  unsigned places = 0;
  for (unsigned i = 0; i < 8; ++i) places |= (first + i % lanes) << 4 * i;
  return places;
}

/// Lane - delta of 32, for 1, 2, 4 and 8; v in the first lanes.
template <int delta, class _Tp>
__device__ __forceinline__ _Tp two_rows_up(_Tp v) {
  const _Tp row_before = from_other_row<places_from(16 - delta, delta)>(anything_like(v), v);
  const _Tp before = primitive<row_shr(delta)>(row_before, v);
  // The first lanes of row 0 again: these have no row before them.
  constexpr int quad = delta == 1 ? quad_perm(0, 0, 1, 2) : delta == 2 ? quad_perm(0, 1, 0, 1) : itself;
  constexpr int banks = delta == 8 ? 0x3 : 0x1;
  return primitive<quad, 0x1, banks>(before, v);
}

/// Lane + delta of 32, for 1, 2, 4 and 8; v where it does not exist.
template <int delta, class _Tp>
__device__ __forceinline__ _Tp two_rows_down(_Tp v) {
  if constexpr (whole_warps) {
    const _Tp row_behind = from_other_row<places_from(0, delta)>(anything_like(v), v);
    const _Tp behind = primitive<row_shl(delta)>(row_behind, v);
    constexpr int quad = delta == 1 ? quad_perm(1, 2, 3, 3) : delta == 2 ? quad_perm(2, 3, 2, 3) : itself;
    constexpr int banks = delta == 8 ? 0xc : 0x8;
    return primitive<quad, 0x2, banks>(behind, v);
  } else {
    // Where a lane of row 0 does not exist neither does what the other row has for it.
    const _Tp row_behind = primitive<itself, 0x1>(v, from_other_row<places_from(0, delta)>(v, v));
    return primitive<row_shl(delta)>(row_behind, v);
  }
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_up(_Tp v, unsigned delta, lane_mask mask, site at) {
  if constexpr (has_row_bcast && (width == 0 || width == 64)) {
    if (__builtin_constant_p(delta) && delta == 1) return primitive<wave_shr_1>(v, v);
  }
  if constexpr (has_permlanex16 && (width == 0 || width >= 32)) {
    if (__builtin_constant_p(delta)) {
      if (delta == 1) return two_rows_up<1>(v);
      if (delta == 2) return two_rows_up<2>(v);
      if (delta == 4) return two_rows_up<4>(v);
      if (delta == 8) return two_rows_up<8>(v);
    }
  }
  return shuffle_up<width>(v, delta, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_down(_Tp v, unsigned delta, lane_mask mask, site at) {
  if constexpr (has_row_bcast && (width == 0 || width == 64)) {
    if (__builtin_constant_p(delta) && delta == 1) return primitive<wave_shl_1>(v, v);
  }
  if constexpr (has_permlanex16 && (width == 0 || width >= 32)) {
    if (__builtin_constant_p(delta)) {
      if (delta == 1) return two_rows_down<1>(v);
      if (delta == 2) return two_rows_down<2>(v);
      if (delta == 4) return two_rows_down<4>(v);
      if (delta == 8) return two_rows_down<8>(v);
    }
  }
  return shuffle_down<width>(v, delta, mask, at);
}

}  // namespace detail
}  // namespace warpz

#include "warpz/detail/amd_collectives.hpp"

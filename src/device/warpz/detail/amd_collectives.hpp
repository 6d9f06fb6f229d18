// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's fast paths of reductions and scans (vendor_paths.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include <limits>
#include <type_traits>

#include "warpz/detail/amd_primitives.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

/// What combines with any value to that value, the sign of a zero included.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp neutral() {
  if constexpr (is_half<_Tp> || is_bfloat16<_Tp>) {
    const unsigned short bits = std::is_same<_Combine, plus>::value ? 0x8000 : 0x7fff;
    _Tp v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
  } else if constexpr (std::is_floating_point<_Tp>::value) {
    return std::is_same<_Combine, plus>::value ? static_cast<_Tp>(-0.0f) : std::numeric_limits<_Tp>::quiet_NaN();
  } else if constexpr (std::is_same<_Combine, plus>::value) {
    return _Tp{0};
  } else {
    return std::is_same<_Combine, max_operation>::value ? std::numeric_limits<_Tp>::lowest()
                                                        : std::numeric_limits<_Tp>::max();
  }
}

/// combine(what the primitive gives, v); v where it gives nothing.
template <int control, int rows = 0xf, class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_with(_Tp v, _Combine combine) {
  return combine(primitive<control, rows>(neutral<_Tp, _Combine>(), v), v);
}

/// combine(a, b) of what `prepared` has made quiet, for all rows.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_rows(_Tp a, _Tp b, _Combine combine) {
  return combine(a, b);
}

/// combine(other, v) in row 1; v in row 0.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_in_row_1(_Tp other, _Tp v, _Combine combine) {
  return combine(primitive<itself, 0xa>(neutral<_Tp, _Combine>(), other), v);
}

// A primitive and a float operation in one instruction: compilers make two of them, and one more for what combines to
// the same value. They look after hazards around assembly but not in it, so it waits for its operand itself where the
// hardware does not; what came before the first of them is seen to by `prepared`.
#if defined(__GFX9__)
#define WARPZ_WAIT "s_nop 1\n\t"
#else
#define WARPZ_WAIT ""
#endif
#define WARPZ_FLOAT_PRIMITIVE(control_, rows_, text)                                                             \
  template <>                                                                                                    \
  __device__ __forceinline__ float combine_with<control_, rows_, float, plus>(float v, plus) {                   \
    asm(WARPZ_WAIT "v_add_f32_dpp %0, %0, %0 " text : "+v"(v));                                                  \
    return v;                                                                                                    \
  }                                                                                                              \
  template <>                                                                                                    \
  __device__ __forceinline__ float combine_with<control_, rows_, float, max_operation>(float v, max_operation) { \
    asm(WARPZ_WAIT "v_max_f32_dpp %0, %0, %0 " text : "+v"(v));                                                  \
    return v;                                                                                                    \
  }                                                                                                              \
  template <>                                                                                                    \
  __device__ __forceinline__ float combine_with<control_, rows_, float, min_operation>(float v, min_operation) { \
    asm(WARPZ_WAIT "v_min_f32_dpp %0, %0, %0 " text : "+v"(v));                                                  \
    return v;                                                                                                    \
  }                                                                                                              \
  static_assert(true, "takes the semicolon")
// Combines with another register's other lanes, without a primitive: compilers quiet each operand of a maximum first.
#define WARPZ_FLOAT_ROWS(operation, name)                                                                \
  template <>                                                                                            \
  __device__ __forceinline__ float combine_in_row_1<float, operation>(float other, float v, operation) { \
    asm(name "_dpp %0, %1, %0 quad_perm:[0,1,2,3] row_mask:0xa bank_mask:0xf" : "+v"(v) : "v"(other));   \
    return v;                                                                                            \
  }                                                                                                      \
  template <>                                                                                            \
  __device__ __forceinline__ float combine_rows<float, operation>(float a, float b, operation) {         \
    asm(name " %0, %1, %0" : "+v"(a) : "v"(b));                                                          \
    return a;                                                                                            \
  }                                                                                                      \
  static_assert(true, "takes the semicolon")
#if defined(__GFX9__) || defined(__GFX10__) || defined(__GFX11__)
WARPZ_FLOAT_PRIMITIVE(row_shr(1), 0xf, "row_shr:1 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shr(2), 0xf, "row_shr:2 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shr(4), 0xf, "row_shr:4 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shr(8), 0xf, "row_shr:8 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(quad_perm(1, 0, 3, 2), 0xf, "quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(quad_perm(2, 3, 0, 1), 0xf, "quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_half_mirror, 0xf, "row_half_mirror row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_mirror, 0xf, "row_mirror row_mask:0xf bank_mask:0xf");
#endif
#if defined(__GFX9__)
WARPZ_FLOAT_PRIMITIVE(row_bcast_15, 0xa, "row_bcast:15 row_mask:0xa bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_bcast_31, 0xc, "row_bcast:31 row_mask:0xc bank_mask:0xf" WARPZ_SETTLE);
#elif defined(__GFX10__) || defined(__GFX11__)
WARPZ_FLOAT_PRIMITIVE(row_shl(1), 0xf, "row_shl:1 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shl(2), 0xf, "row_shl:2 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shl(4), 0xf, "row_shl:4 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shl(8), 0xf, "row_shl:8 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_ROWS(plus, "v_add_f32");
WARPZ_FLOAT_ROWS(max_operation, "v_max_f32");
WARPZ_FLOAT_ROWS(min_operation, "v_min_f32");
#endif
#undef WARPZ_FLOAT_PRIMITIVE
#undef WARPZ_FLOAT_ROWS
#undef WARPZ_WAIT
#undef WARPZ_SETTLE

/// v for a ladder of primitives. Where assembly comes first, an instruction that the compiler knows goes before it:
/// that waits for what made v if the hardware does not, as after a matrix instruction on GFX9 and a transcendental one
/// on GFX11. The same makes a signalling NaN quiet, which the hardware's maximum does not skip.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp prepared(_Tp v, _Combine) {
  if constexpr (std::is_same<_Tp, float>::value) {
#if defined(__GFX9__) || defined(__GFX11__)
    // Now the compiler does not know what made v: of some that it is quiet already, and it would leave out all of this.
    asm("" : "+v"(v));
    return __builtin_canonicalizef(v);
#else
    return std::is_same<_Combine, plus>::value ? v : __builtin_canonicalizef(v);
#endif
  } else {
    return v;
  }
}

inline constexpr bool reduces_by_butterfly = false;

template <class _Tp>
inline constexpr bool reduces_down_for_all = false;

template <class _Tp, class _Combine>
inline constexpr bool adds_in_words = false;

template <class _Combine>
inline constexpr bool combines_with_itself = false;

template <class _Tp, class _Combine>
inline constexpr bool has_short_exclusive_scan = false;

template <class _Combine>
inline constexpr bool is_extreme =
    std::is_same<_Combine, max_operation>::value || std::is_same<_Combine, min_operation>::value;

/// combine(v, what the primitive gives) in all lanes, which all have a source.
template <int control, class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_in_all(_Tp v, _Combine combine) {
  if constexpr (!whole_warps || (std::is_same<_Tp, float>::value && is_extreme<_Combine>)) {
    return combine_with<control>(v, combine);
  } else {
    return combine(primitive_in_all<control>(v), v);
  }
}

/// One step of reduce_xor where all lanes of a part of `step` lanes hold the same: combines each lane's value with that
/// of any lane of the part beside its own, in the order of the lanes.
template <unsigned step, int control, class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_parts(_Tp v, _Combine combine) {
  if constexpr (commutes<_Combine>) {
    return combine_in_all<control>(v, combine);
  } else {
    const _Tp other = primitive_in_all<control>(v);
    return (lane_id() & step) == 0 ? combine(v, other) : combine(other, v);
  }
}

/// combine_parts, for parts of a row each.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_row_pairs(_Tp v, _Combine combine) {
  _Tp other = v;
  if constexpr (has_row_bcast) {
    other = xor_16_in_all(v);
  } else {
    other = other_row<16>(anything_like(v), v);
  }
  if constexpr (commutes<_Combine> && has_permlanex16) {
    return combine_rows(v, other, combine);
  } else {
    return commutes<_Combine> || (lane_id() & 16) == 0 ? combine(v, other) : combine(other, v);
  }
}

/// Groups of neighbors, where all lanes exist; or, of numbers, groups within a row, whose last lane that exists has
/// combined all of those there are.
template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
inline constexpr bool has_short_groups = stride == 1 && (has_row_bcast || has_permlanex16) &&
                                         (whole_warps ||
                                          (commutes<_Combine> && is_number<_Tp> && lanes != 0 && lanes <= 16));

/// reduce_xor by primitives. 0 lanes stand for the whole warp.
template <unsigned lanes, class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_groups(_Tp v, _Combine combine) {
  if constexpr (lanes == 1) return v;
  if constexpr (is_extreme<_Combine> || !whole_warps) v = prepared(v, combine);
  v = combine_parts<1, quad_perm(1, 0, 3, 2)>(v, combine);
  if constexpr (lanes == 0 || lanes > 2) v = combine_parts<2, quad_perm(2, 3, 0, 1)>(v, combine);
  if constexpr (lanes == 0 || lanes > 4) v = combine_parts<4, row_half_mirror>(v, combine);
  if constexpr (lanes == 0 || lanes > 8) v = combine_parts<8, row_mirror>(v, combine);
  if constexpr (!whole_warps) {
    constexpr unsigned others = lanes - 1;
    const unsigned last = static_cast<unsigned>(lane_id()) | others, existing = lanes_up_to_last(full_mask);
    return read_lane_words(v, last < existing ? last : existing - 1, full_mask);
  } else if constexpr (lanes != 0 && lanes <= 16) {
    return v;
  } else if constexpr (has_permlanex16 || lanes == 32) {
    return combine_row_pairs(v, combine);
  } else {
    // All lanes read the last one's, and what others combine is not used: of numbers, those without a source combine 0.
    if constexpr (commutes<_Combine>) {
      v = combine(primitive_in_all<row_bcast_15>(v), v);
      v = combine(primitive_in_all<row_bcast_31>(v), v);
    } else {
      v = combine(primitive<row_bcast_15>(v, v), v);
      v = combine(primitive<row_bcast_31>(v, v), v);
    }
    return read_uniform(v, 63);
  }
}

template <class _Tp, class _Combine>
inline constexpr bool has_short_reduce = commutes<_Combine>&& is_number<_Tp> && (has_row_bcast || has_permlanex16);

/// The tree of reduce_xor. Of a row that is not full some lanes miss those that they ask for, but one has what there
/// is: its last lane on GFX9, which asks lanes below itself, and its first one later, which asks those above.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_reduce(_Tp v, _Combine combine) {
  if constexpr (has_short_groups<0, 1, _Tp, _Combine> && (has_permlanex16 || sizeof(_Tp) > sizeof(unsigned))) {
    return short_groups<0>(v, combine);
  }
  v = prepared(v, combine);
  if constexpr (has_row_bcast) {
    v = combine_with<quad_perm(1, 0, 3, 2)>(v, combine);
    v = combine_with<quad_perm(2, 3, 0, 1)>(v, combine);
    v = combine_with<row_half_mirror>(v, combine);
    v = combine_with<row_mirror>(v, combine);
    v = combine_with<row_bcast_15, 0xa>(v, combine);
    v = combine_with<row_bcast_31, 0xc>(v, combine);
    return read_uniform(v, last_lane());
  } else {
    v = combine_with<row_shl(1)>(v, combine);
    v = combine_with<row_shl(2)>(v, combine);
    v = combine_with<row_shl(4)>(v, combine);
    v = combine_with<row_shl(8)>(v, combine);
    const _Tp own = first_of_row(v);
    if constexpr (!std::is_same<_Combine, plus>::value) {
      // Where there is no other row the lane's own value comes in its place: a part of `own` already.
      return combine_rows(own, other_row<0>(v, v), combine);
    } else if constexpr (std::is_integral<_Tp>::value) {
      return combine(own, other_row_or_zeros(v));
    } else {
      return combine_rows(own, other_row<0>(neutral<_Tp, _Combine>(), v), combine);
    }
  }
}

template <class _Tp, class _Combine>
inline constexpr bool has_short_scan = has_row_bcast || has_permlanex16;

/// combine(what the primitive gives, v) where that `is_of_scan`, else v.
template <int control, class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_where(bool is_of_scan, _Tp v, _Combine combine) {
  const _Tp before = primitive_in_all<control>(v);
  return is_of_scan ? combine(before, v) : v;
}

/// short_scan for operations of which nothing is known.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp scan_by_any(_Tp v, _Combine combine) {
  const unsigned lane = static_cast<unsigned>(lane_id()), place = lane & 15;
  v = combine_where<row_shr(1)>(place >= 1, v, combine);
  v = combine_where<row_shr(2)>(place >= 2, v, combine);
  v = combine_where<row_shr(4)>(place >= 4, v, combine);
  v = combine_where<row_shr(8)>(place >= 8, v, combine);
  if constexpr (has_row_bcast) {
    v = combine_where<row_bcast_15>((lane & 16) != 0, v, combine);
    return combine_where<row_bcast_31>(lane >= 32, v, combine);
  } else {
    const _Tp before = other_row<15>(anything_like(v), v);
    return (lane & 16) != 0 ? combine(before, v) : v;
  }
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_scan(_Tp v, _Combine combine) {
  if constexpr (!commutes<_Combine> || !is_number<_Tp>) return scan_by_any(v, combine);
  v = prepared(v, combine);
  v = combine_with<row_shr(1)>(v, combine);
  v = combine_with<row_shr(2)>(v, combine);
  v = combine_with<row_shr(4)>(v, combine);
  v = combine_with<row_shr(8)>(v, combine);
  if constexpr (has_row_bcast) {
    v = combine_with<row_bcast_15, 0xa>(v, combine);
    return combine_with<row_bcast_31, 0xc>(v, combine);
  } else {
    return combine_in_row_1(other_row<15>(anything_like(v), v), v, combine);
  }
}

/// Lanes of a warp, as a constant.
inline constexpr unsigned known_lanes = has_row_bcast ? 64 : 32;

/// How many warps a block has at most, as a power of two.
template <unsigned threads>
inline constexpr unsigned max_warps = threads == 0             ? 1024 / known_lanes
                                      : threads <= known_lanes ? 1
                                                               : 2 * max_warps<(threads + 1) / 2>;

template <unsigned threads>
inline constexpr bool joins_in_every_warp = (has_row_bcast || has_permlanex16) &&
                                            (whole_warps || (threads != 0 && threads % known_lanes == 0));

template <unsigned lanes, class _Tp, class _Combine>
__device__ __forceinline__ _Tp scan_lanes(_Tp v, _Combine combine) {
  if constexpr (lanes > 16) return short_scan(v, combine);
  v = prepared(v, combine);
  if constexpr (lanes > 1) v = combine_with<row_shr(1)>(v, combine);
  if constexpr (lanes > 2) v = combine_with<row_shr(2)>(v, combine);
  if constexpr (lanes > 4) v = combine_with<row_shr(4)>(v, combine);
  if constexpr (lanes > 8) v = combine_with<row_shr(8)>(v, combine);
  return v;
}

template <class _Tp>
__device__ __forceinline__ _Tp lane_before(_Tp v, _Tp first, site at) {
  if constexpr (has_row_bcast) {
    return primitive<wave_shr_1>(first, v);
  } else if constexpr (has_permlanex16) {
    const _Tp before = primitive<row_shr(1)>(other_row<15>(anything_like(v), v), v);
    return lane_id() == 0 ? first : before;
  } else {
    const _Tp before = shuffle_up<0>(v, 1, full_mask, at);
    return lane_id() == 0 ? first : before;
  }
}

template <unsigned threads>
inline constexpr bool reads_all_results = false;

}  // namespace detail
}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's shorter ways (vendor_paths.hpp): data-parallel primitives, by which an instruction takes an operand from
// another lane, and lanes read as scalars. Rows have 16 lanes; rows are joined by row_bcast on GFX9, which has 64
// lanes, and by permlanex16 since GFX10, which has 32 here.
//
// A lane that does not exist is none of EXEC, and a primitive that would read it keeps the old value instead. So nobody
// has to know how many lanes there are.
#pragma once

#include <hip/hip_runtime.h>

#include <limits>
#include <type_traits>

#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

// The compiler's pass over the host's code sees neither, and no device code comes of it.
#if defined(__GFX9__)
inline constexpr bool has_row_bcast = true, has_permlanex16 = false;
#elif defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
inline constexpr bool has_row_bcast = false, has_permlanex16 = true;
#else
inline constexpr bool has_row_bcast = false, has_permlanex16 = false;
#endif

/// What a primitive's operand is taken from, in the hardware's numbers.
constexpr int quad_perm(int a, int b, int c, int d) { return a | b << 2 | c << 4 | d << 6; }
constexpr int row_shl(int lanes) { return 0x100 + lanes; }  // from above
constexpr int row_shr(int lanes) { return 0x110 + lanes; }  // from below
constexpr int row_ror(int lanes) { return 0x120 + lanes; }
constexpr int row_xmask(int bits) { return 0x160 + bits; }  // since GFX10
inline constexpr int row_mirror = 0x140, row_half_mirror = 0x141;
inline constexpr int wave_shl_1 = 0x130, wave_shr_1 = 0x138, row_bcast_15 = 0x142, row_bcast_31 = 0x143;  // until GFX9

/// Each word of `v` from the lane that `control` names; of `old` where there is none, or in rows and banks (of 4 lanes)
/// that are not written.
template <int control, int rows = 0xf, int banks = 0xf, class _Tp>
__device__ __forceinline__ _Tp primitive(_Tp old, _Tp v) {
  words_of<_Tp> kept(old);
  std::size_t i = 0;
  return words_of<_Tp>(v).each(v, [&](unsigned word) {
    return static_cast<unsigned>(__builtin_amdgcn_update_dpp(static_cast<int>(kept.word[i++]), static_cast<int>(word),
                                                             control, rows, banks, false));
  });
}

// A lane's scalar that is read from what assembly has just written: compilers do not know that GFX940 waits for it.
#if defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__)
#define WARPZ_SETTLE "\n\ts_nop 0"
#else
#define WARPZ_SETTLE ""
#endif

/// Lane ^ 4 on GFX9; v where it does not exist.
template <class _Tp>
__device__ __forceinline__ _Tp xor_4(_Tp v) {
#if defined(__GFX9__)
  return words_of<_Tp>(v).each(v, [](unsigned word) {
    // Banks 0 and 2 from above, 1 and 3 from below. Compilers would have each of them wait for its result's register,
    // which none reads from another lane. What is read so is `word`, and the copy waits for that: as a primitive.
    constexpr int itself = quad_perm(0, 1, 2, 3);
    int result = __builtin_amdgcn_update_dpp(0, static_cast<int>(word), itself, 0xf, 0xf, true);
    asm("v_mov_b32_dpp %0, %1 row_shl:4 row_mask:0xf bank_mask:0x5\n\t"
        "v_mov_b32_dpp %0, %1 row_shr:4 row_mask:0xf bank_mask:0xa" WARPZ_SETTLE
        : "+&v"(result)
        : "v"(word));
    return static_cast<unsigned>(result);
  });
#else
  return v;
#endif
}

#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
/// What permlane16 gave. LLVM takes that for an operation within lanes, and moves it behind a branch to where the
/// result is used, by fewer lanes than have to take part; assembly stays where all of them are.
__device__ __forceinline__ unsigned stays_here(unsigned word) {
  asm("" : "+v"(word));
  return word;
}

/// Lane `from` of the other row, or the lane of the same place there if that is 16; `old` where it does not exist.
template <unsigned from, class _Tp>
__device__ __forceinline__ _Tp other_row(_Tp old, _Tp v) {
  constexpr unsigned low = from == 16 ? 0x76543210U : 0x11111111U * from;
  constexpr unsigned high = from == 16 ? 0xfedcba98U : 0x11111111U * from;
  words_of<_Tp> kept(old);
  std::size_t i = 0;
  return words_of<_Tp>(v).each(v, [&](unsigned word) {
    return stays_here(__builtin_amdgcn_permlanex16(kept.word[i++], word, low, high, false, false));
  });
}

/// The other row's first lane; zeros where it does not exist. As assembly, for of the builtin with its bound_ctrl LLVM
/// 15 makes code that its own disassembler does not know.
template <class _Tp>
__device__ __forceinline__ _Tp other_row_or_zeros(_Tp v) {
  return words_of<_Tp>(v).each(v, [](unsigned word) {
    unsigned moved;
    asm("v_permlanex16_b32 %0, %1, 0, 0 op_sel:[0,1]" : "=v"(moved) : "v"(word));
    return moved;
  });
}

/// A value for lanes whose result is not used: what its register holds.
template <class _Tp>
__device__ __forceinline__ _Tp anything_like(_Tp v) {
  return words_of<_Tp>(v).each(v, [](unsigned) {
    unsigned word;
    asm("" : "=v"(word));
    return word;
  });
}

/// The first lane of the caller's row, which is there.
template <class _Tp>
__device__ __forceinline__ _Tp first_of_row(_Tp v) {
  words_of<_Tp> kept(anything_like(v));
  std::size_t i = 0;
  return words_of<_Tp>(v).each(v, [&](unsigned word) {
    return stays_here(__builtin_amdgcn_permlane16(kept.word[i++], word, 0, 0, false, false));
  });
}
#else
template <unsigned from, class _Tp>
__device__ __forceinline__ _Tp other_row(_Tp, _Tp v) {
  return v;
}

template <class _Tp>
__device__ __forceinline__ _Tp other_row_or_zeros(_Tp v) {
  return v;
}

template <class _Tp>
__device__ __forceinline__ _Tp anything_like(_Tp v) {
  return v;
}

template <class _Tp>
__device__ __forceinline__ _Tp first_of_row(_Tp v) {
  return v;
}
#endif

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
  }
  if constexpr (has_permlanex16) {
    if (__builtin_constant_p(bits) && bits == 16 && (width == 0 || width > 16) && warp_size() == 32) {
      return other_row<16>(v, v);
    }
  }
  return shuffle_xor<width>(v, bits, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_up(_Tp v, unsigned delta, lane_mask mask, site at) {
  if constexpr (has_row_bcast && (width == 0 || width == 64)) {
    if (__builtin_constant_p(delta) && delta == 1) return primitive<wave_shr_1>(v, v);
  }
  return shuffle_up<width>(v, delta, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_down(_Tp v, unsigned delta, lane_mask mask, site at) {
  if constexpr (has_row_bcast && (width == 0 || width == 64)) {
    if (__builtin_constant_p(delta) && delta == 1) return primitive<wave_shl_1>(v, v);
  }
  return shuffle_down<width>(v, delta, mask, at);
}

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
    return std::is_same<_Combine, greater_of>::value ? std::numeric_limits<_Tp>::lowest()
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
  return combine(primitive<quad_perm(0, 1, 2, 3), 0xa>(neutral<_Tp, _Combine>(), other), v);
}

// A primitive and a float operation in one instruction: compilers make two of them, and one more for what combines to
// the same value. They look after hazards around assembly but not in it, so it waits for its operand itself where the
// hardware does not; what came before the first of them is seen to by `prepared`.
#if defined(__GFX9__)
#define WARPZ_WAIT "s_nop 1\n\t"
#else
#define WARPZ_WAIT ""
#endif
#define WARPZ_FLOAT_PRIMITIVE(control_, rows_, text)                                                       \
  template <>                                                                                              \
  __device__ __forceinline__ float combine_with<control_, rows_, float, plus>(float v, plus) {             \
    asm(WARPZ_WAIT "v_add_f32_dpp %0, %0, %0 " text : "+v"(v));                                            \
    return v;                                                                                              \
  }                                                                                                        \
  template <>                                                                                              \
  __device__ __forceinline__ float combine_with<control_, rows_, float, greater_of>(float v, greater_of) { \
    asm(WARPZ_WAIT "v_max_f32_dpp %0, %0, %0 " text : "+v"(v));                                            \
    return v;                                                                                              \
  }                                                                                                        \
  template <>                                                                                              \
  __device__ __forceinline__ float combine_with<control_, rows_, float, lesser_of>(float v, lesser_of) {   \
    asm(WARPZ_WAIT "v_min_f32_dpp %0, %0, %0 " text : "+v"(v));                                            \
    return v;                                                                                              \
  }                                                                                                        \
  static_assert(true, "takes the semicolon")
// The same of another register's other lanes, and without a primitive: compilers quiet each operand of a maximum first.
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
#endif
#if defined(__GFX9__)
WARPZ_FLOAT_PRIMITIVE(quad_perm(1, 0, 3, 2), 0xf, "quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(quad_perm(2, 3, 0, 1), 0xf, "quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_half_mirror, 0xf, "row_half_mirror row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_mirror, 0xf, "row_mirror row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_bcast_15, 0xa, "row_bcast:15 row_mask:0xa bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_bcast_31, 0xc, "row_bcast:31 row_mask:0xc bank_mask:0xf" WARPZ_SETTLE);
#elif defined(__GFX10__) || defined(__GFX11__)
WARPZ_FLOAT_PRIMITIVE(row_shl(1), 0xf, "row_shl:1 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shl(2), 0xf, "row_shl:2 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shl(4), 0xf, "row_shl:4 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_PRIMITIVE(row_shl(8), 0xf, "row_shl:8 row_mask:0xf bank_mask:0xf");
WARPZ_FLOAT_ROWS(plus, "v_add_f32");
WARPZ_FLOAT_ROWS(greater_of, "v_max_f32");
WARPZ_FLOAT_ROWS(lesser_of, "v_min_f32");
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

template <class _Tp, class _Combine>
inline constexpr bool has_short_reduce = commutes<_Combine>&& is_number<_Tp> && (has_row_bcast || has_permlanex16);

/// The tree of reduce_xor. Of a row that is not full some lanes miss those that they ask for, but one has what there
/// is: its last lane on GFX9, which asks lanes below itself, and its first one later, which asks those above.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_reduce(_Tp v, _Combine combine) {
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
inline constexpr bool has_short_scan = commutes<_Combine>&& is_number<_Tp> && (has_row_bcast || has_permlanex16);

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_scan(_Tp v, _Combine combine) {
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

}  // namespace detail
}  // namespace warpz

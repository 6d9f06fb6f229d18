// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's data-parallel primitives, by which an instruction takes an operand from another lane. Rows have 16 lanes; rows
// are joined by row_bcast on GFX9, which has 64 lanes, and by permlanex16 since GFX10, which has 32 here.
//
// A lane that does not exist is none of EXEC, and a primitive that would read it keeps the old value instead. So nobody
// has to know how many lanes there are.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/platform.hpp"

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
inline constexpr int itself = quad_perm(0, 1, 2, 3);
constexpr int row_shl(int lanes) { return 0x100 + lanes; }  // from above
constexpr int row_shr(int lanes) { return 0x110 + lanes; }  // from below
constexpr int row_ror(int lanes) { return 0x120 + lanes; }
constexpr int row_xmask(int bits) { return 0x160 + bits; }  // since GFX10
inline constexpr int row_mirror = 0x140, row_half_mirror = 0x141;
inline constexpr int wave_shl_1 = 0x130, wave_shr_1 = 0x138, row_bcast_15 = 0x142, row_bcast_31 = 0x143;  // until GFX9

/// Each word of the value is change(the word of `old`, the word of `v`).
template <class _Tp, class _Change>
__device__ __forceinline__ _Tp each_word(_Tp old, _Tp v, _Change change) {
  const words_of<_Tp> kept(old);
  std::size_t i = 0;
  return words_of<_Tp>(v).each(v, [&](unsigned word) { return change(kept.word[i++], word); });
}

/// Each word of `v` from the lane that `control` names; of `old` where there is none, or in rows and banks (of 4 lanes)
/// that are not written.
template <int control, int rows = 0xf, int banks = 0xf, class _Tp>
__device__ __forceinline__ _Tp primitive(_Tp old, _Tp v) {
  return each_word(old, v, [](unsigned kept, unsigned word) {
    const int from = static_cast<int>(word), otherwise = static_cast<int>(kept);
    if constexpr (rows == 0xf && banks == 0xf) {
      // A primitive gives 0 by itself, and needs no register that holds it beforehand.
      if (__builtin_constant_p(otherwise) && otherwise == 0) {
        return static_cast<unsigned>(__builtin_amdgcn_update_dpp(0, from, control, rows, banks, true));
      }
    }
    return static_cast<unsigned>(__builtin_amdgcn_update_dpp(otherwise, from, control, rows, banks, false));
  });
}

/// A primitive where all lanes have a source, or what those without it get is not used.
template <int control, class _Tp>
__device__ __forceinline__ _Tp primitive_in_all(_Tp v) {
  return words_of<_Tp>(v).each(v, [](unsigned word) {
    return static_cast<unsigned>(__builtin_amdgcn_update_dpp(0, static_cast<int>(word), control, 0xf, 0xf, true));
  });
}

/// Lane ^ 16, which exists, on GFX9.
template <class _Tp>
__device__ __forceinline__ _Tp xor_16_in_all(_Tp v) {
  constexpr int within_32_lanes = 0x1f, bits = 16;
  return words_of<_Tp>(v).each(v, [](unsigned word) {
    return static_cast<unsigned>(__builtin_amdgcn_ds_swizzle(static_cast<int>(word), bits << 10 | within_32_lanes));
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

/// Gives each lane the value of a lane of the other row: the one that four bits of `low` name (in the upper half of a
/// row, of `high`); `old` where it does not exist.
template <unsigned low, unsigned high = low, class _Tp>
__device__ __forceinline__ _Tp from_other_row(_Tp old, _Tp v) {
  return each_word(old, v, [](unsigned kept, unsigned word) {
    return stays_here(__builtin_amdgcn_permlanex16(kept, word, low, high, false, false));
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

/// A value for lanes whose result is not used: what its register holds. Made of v, so that two words do not share one,
/// of which the second would be a copy.
template <class _Tp>
__device__ __forceinline__ _Tp anything_like(_Tp v) {
  return words_of<_Tp>(v).each(v, [](unsigned word) {
    unsigned anything;
    asm("" : "=v"(anything) : "v"(word));
    return anything;
  });
}

/// The first lane of the caller's row, which is there.
template <class _Tp>
__device__ __forceinline__ _Tp first_of_row(_Tp v) {
  return each_word(anything_like(v), v, [](unsigned kept, unsigned word) {
    return stays_here(__builtin_amdgcn_permlane16(kept, word, 0, 0, false, false));
  });
}
#else
template <unsigned low, unsigned high = low, class _Tp>
__device__ __forceinline__ _Tp from_other_row(_Tp, _Tp v) {
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

/// Lane `from` of the other row, or the lane of the same place there if that is 16; `old` where it does not exist.
template <unsigned from, class _Tp>
__device__ __forceinline__ _Tp other_row(_Tp old, _Tp v) {
  constexpr unsigned low = from == 16 ? 0x76543210U : 0x11111111U * from;
  constexpr unsigned high = from == 16 ? 0xfedcba98U : 0x11111111U * from;
  return from_other_row<low, high>(old, v);
}

}  // namespace detail
}  // namespace warpz

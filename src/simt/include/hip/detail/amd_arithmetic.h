// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's instructions for bits, bytes and sums of products, as their manuals describe them.
#pragma once

#include "hip/detail/host_defines.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// Byte `selector` of `high` and `low` together, the lowest one first; from 8 on, the sign of every second byte, all
/// zeros, all ones.
inline unsigned selected_byte(unsigned high, unsigned low, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(high) << 32 | low;
  if (selector > 12) return 0xff;
  if (selector == 12) return 0;
  if (selector > 7) return (bytes >> (16 * (selector - 8) + 15) & 1) != 0 ? 0xff : 0;
  return static_cast<unsigned>(bytes >> (8 * selector) & 0xff);
}

/// `Bits` bits of `value` from bit `offset` on.
template <unsigned Bits>
inline long long part(unsigned value, unsigned offset, bool is_signed) {
  const long long bits = value >> offset & ((1u << Bits) - 1);
  return is_signed && bits >> (Bits - 1) != 0 ? bits - (1ll << Bits) : bits;
}

template <unsigned Bits>
inline long long sum_of_products(bool is_a_signed, unsigned a, bool is_b_signed, unsigned b) {
  long long sum = 0;
  for (unsigned offset = 0; offset < 32; offset += Bits) {
    sum += part<Bits>(a, offset, is_a_signed) * part<Bits>(b, offset, is_b_signed);
  }
  return sum;
}

/// The lower 32 bits; with `clamp` what is nearest to it in the type.
template <class _Tp>
inline _Tp narrowed(long long value, bool clamp) {
  constexpr long long most = static_cast<_Tp>(~0u >> (static_cast<_Tp>(-1) < 0 ? 1 : 0));
  constexpr long long least = static_cast<_Tp>(-1) < 0 ? -most - 1 : 0;
  if (clamp && value > most) value = most;
  if (clamp && value < least) value = least;
  return static_cast<_Tp>(value);
}

}  // namespace hip
}  // namespace simt

/// `width` bits of `value` from bit `offset` on; both count modulo 32.
__device__ __forceinline__ unsigned __builtin_amdgcn_ubfe(unsigned value, unsigned offset, unsigned width) {
  return value >> (offset & 31) & ((1u << (width & 31)) - 1);
}
/// As above; the last of these bits is the sign.
__device__ __forceinline__ int __builtin_amdgcn_sbfe(int value, unsigned offset, unsigned width) {
  const unsigned bits = __builtin_amdgcn_ubfe(static_cast<unsigned>(value), offset, width);
  const unsigned sign = (width & 31) == 0 ? 0 : 1u << ((width & 31) - 1);
  return static_cast<int>((bits ^ sign) - sign);
}
/// The lower 32 bits of `high` and `low`, shifted right together.
__device__ __forceinline__ unsigned __builtin_amdgcn_alignbit(unsigned high, unsigned low, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(high) << 32 | low) >> (shift & 31));
}
__device__ __forceinline__ unsigned __builtin_amdgcn_alignbyte(unsigned high, unsigned low, unsigned shift) {
  return __builtin_amdgcn_alignbit(high, low, 8 * (shift & 3));
}

/// Four bytes out of `high` and `low`, which the bytes of `selectors` name.
__device__ __forceinline__ unsigned __builtin_amdgcn_perm(unsigned high, unsigned low, unsigned selectors) {
  unsigned result = 0;
  for (unsigned at = 0; at < 32; at += 8) {
    result |= simt::hip::selected_byte(high, low, selectors >> at & 0xff) << at;
  }
  return result;
}

// `c` and the products of the bytes, or of the halves of bytes, of `a` and `b`.
#define SIMT_DOT(name, bits, type, is_signed)                                                                   \
  __device__ __forceinline__ type name(type a, type b, type c, bool clamp) {                                    \
    return simt::hip::narrowed<type>(c + simt::hip::sum_of_products<bits>(is_signed, static_cast<unsigned>(a),  \
                                                                          is_signed, static_cast<unsigned>(b)), \
                                     clamp);                                                                    \
  }
SIMT_DOT(__builtin_amdgcn_sdot4, 8, int, true)
SIMT_DOT(__builtin_amdgcn_sdot8, 4, int, true)
SIMT_DOT(__builtin_amdgcn_udot4, 8, unsigned, false)
SIMT_DOT(__builtin_amdgcn_udot8, 4, unsigned, false)
#undef SIMT_DOT

// The same, where it is said of each factor whether it has a sign.
#define SIMT_DOT(name, bits)                                                                                     \
  __device__ __forceinline__ int name(bool is_a_signed, int a, bool is_b_signed, int b, int c, bool clamp) {     \
    return simt::hip::narrowed<int>(c + simt::hip::sum_of_products<bits>(is_a_signed, static_cast<unsigned>(a),  \
                                                                         is_b_signed, static_cast<unsigned>(b)), \
                                    clamp);                                                                      \
  }
SIMT_DOT(__builtin_amdgcn_sudot4, 8)
SIMT_DOT(__builtin_amdgcn_sudot8, 4)
#undef SIMT_DOT

SIMT_BOTH_SIDES_END

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits and integers: counting and finding bits, permuting bytes, high halves of products, averages.
//
// All of them are defined for every argument, 0 and the extreme ones included.
#pragma once

#include <stdint.h>

#include "hip/detail/host_defines.h"

SIMT_BOTH_SIDES_BEGIN

// Counting and finding bits.

namespace simt {
namespace hip {

/// Of the results that HIP and CUDA have different types for.
#ifdef __WARPZ_CUDA__
using bit_count = int;
using product24 = unsigned;
#else
using bit_count = unsigned;
using product24 = int;
#endif

}  // namespace hip
}  // namespace simt

/// The number of 1 bits.
__device__ __forceinline__ simt::hip::bit_count __popc(unsigned v) {
  return static_cast<simt::hip::bit_count>(__builtin_popcount(v));
}
__device__ __forceinline__ simt::hip::bit_count __popcll(unsigned long long v) {
  return static_cast<simt::hip::bit_count>(__builtin_popcountll(v));
}

/// The number of bits above the highest 1; for 0, of all bits.
__device__ __forceinline__ int __clz(int v) { return v == 0 ? 32 : __builtin_clz(static_cast<unsigned>(v)); }
__device__ __forceinline__ int __clzll(long long v) {
  return v == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(v));
}

/// The place of the lowest 1, counted from 1; 0 for 0.
__device__ __forceinline__ int __ffs(unsigned v) { return __builtin_ffs(static_cast<int>(v)); }
__device__ __forceinline__ int __ffs(int v) { return __builtin_ffs(v); }
__device__ __forceinline__ int __ffsll(unsigned long long v) { return __builtin_ffsll(static_cast<long long>(v)); }
__device__ __forceinline__ int __ffsll(unsigned long v) { return __builtin_ffsll(static_cast<long long>(v)); }
__device__ __forceinline__ int __ffsll(long long v) { return __builtin_ffsll(v); }
__device__ __forceinline__ int __ffsll(long v) { return __builtin_ffsll(v); }

/// The place of the lowest 1, counted from 0; all bits set for 0.
__device__ __forceinline__ unsigned __lastbit_u32_u64(uint64_t v) {
  return v == 0 ? ~0u : static_cast<unsigned>(__builtin_ctzll(v));
}

/// The bits in reverse order.
__device__ __forceinline__ unsigned __brev(unsigned v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(v);
}
__device__ __forceinline__ unsigned long long __brevll(unsigned long long v) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(v))) << 32 |
         __brev(static_cast<unsigned>(v >> 32));
}

/// The place of the `offset`-th 1 counted upwards from bit `base` on (that one included), downwards where `offset`
/// is negative; for 0, `base` itself if it is 1. -1 where there is none.
__device__ inline int __fns64(uint64_t mask, uint32_t base, int32_t offset) {
  if (base > 63) return -1;
  if (offset == 0) return (mask >> base & 1) != 0 ? static_cast<int>(base) : -1;
  const int step = offset > 0 ? 1 : -1;
  int64_t left = offset > 0 ? int64_t{offset} : -int64_t{offset};
  for (int place = static_cast<int>(base); place >= 0 && place < 64; place += step) {
    if ((mask >> place & 1) != 0 && --left == 0) return place;
  }
  return -1;
}
__device__ inline int __fns32(uint32_t mask, uint32_t base, int32_t offset) {
  return base > 31 ? -1 : __fns64(mask, base, offset);
}
__device__ inline int __fns(unsigned mask, unsigned base, int offset) { return __fns32(mask, base, offset); }

// Fields of bits: `offset` and `width` count modulo the size of the word.

__device__ inline uint64_t __bitextract_u64(uint64_t v, unsigned offset, unsigned width) {
  width &= 63;
  return v >> (offset & 63) & ((uint64_t{1} << width) - 1);
}
__device__ inline unsigned __bitextract_u32(unsigned v, unsigned offset, unsigned width) {
  width &= 31;
  return v >> (offset & 31) & ((1u << width) - 1);
}
__device__ inline uint64_t __bitinsert_u64(uint64_t v, uint64_t field, unsigned offset, unsigned width) {
  const uint64_t mask = (uint64_t{1} << (width & 63)) - 1;
  return (v & ~(mask << (offset & 63))) | (field & mask) << (offset & 63);
}
__device__ inline unsigned __bitinsert_u32(unsigned v, unsigned field, unsigned offset, unsigned width) {
  const unsigned mask = (1u << (width & 31)) - 1;
  return (v & ~(mask << (offset & 31))) | (field & mask) << (offset & 31);
}

// Shifts through two words: `high` and `low` side by side.

/// The upper word after a shift to the left; by `shift` modulo 32, or (c) by at most 32.
__device__ __forceinline__ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
__device__ __forceinline__ unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}

/// The lower word after a shift to the right; by `shift` modulo 32, or (c) by at most 32.
__device__ __forceinline__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((uint64_t{high} << 32 | low) >> (shift & 31));
}
__device__ __forceinline__ unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

/// Four of the eight bytes of `low` (0 to 3) and `high` (4 to 7): the three lower bits of each of the selector's
/// four nibbles say which.
__device__ __forceinline__ unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const uint64_t bytes = uint64_t{high} << 32 | low;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  }
  return result;
}

// Products.

/// The high half of the product.
__device__ __forceinline__ int __mulhi(int a, int b) { return static_cast<int>(int64_t{a} * b >> 32); }
__device__ __forceinline__ unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32);
}
__device__ __forceinline__ long long __mul64hi(long long a, long long b) {
  __extension__ typedef __int128 wide;
  return static_cast<long long>(static_cast<wide>(a) * b >> 64);
}
__device__ __forceinline__ unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ typedef unsigned __int128 wide;
  return static_cast<unsigned long long>(static_cast<wide>(a) * b >> 64);
}

/// The low 32 bits of the product of the operands' low 24 bits.
__device__ __forceinline__ int __mul24(int a, int b) {
  const int64_t product = int64_t{static_cast<int>(static_cast<unsigned>(a) << 8) >> 8} *
                          (static_cast<int>(static_cast<unsigned>(b) << 8) >> 8);
  return static_cast<int>(static_cast<unsigned>(product));
}
__device__ __forceinline__ simt::hip::product24 __umul24(unsigned a, unsigned b) {
  return static_cast<simt::hip::product24>((a & 0xffffffu) * (b & 0xffffffu));
}

// Averages and differences.

/// The average, rounded down; no overflow.
__device__ __forceinline__ int __hadd(int a, int b) { return static_cast<int>((int64_t{a} + b) >> 1); }
__device__ __forceinline__ unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((uint64_t{a} + b) >> 1);
}
/// The average, rounded up; no overflow.
__device__ __forceinline__ int __rhadd(int a, int b) { return static_cast<int>((int64_t{a} + b + 1) >> 1); }
__device__ __forceinline__ unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((uint64_t{a} + b + 1) >> 1);
}
/// |a - b| + c.
__device__ __forceinline__ unsigned __sad(int a, int b, unsigned c) {
  return (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                : static_cast<unsigned>(b) - static_cast<unsigned>(a)) +
         c;
}
__device__ __forceinline__ unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }

SIMT_BOTH_SIDES_END

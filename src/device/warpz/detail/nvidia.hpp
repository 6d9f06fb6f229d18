// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp operations on NVIDIA's GPUs, warps of 32 lanes. CUDA's own functions are called rather than HIP's names
// for them: HIP's turn into full-mask shuffles of 32-bit values only in some versions.
//
// Lanes that have left the kernel or that the block never had may be named by a mask: the hardware waits for those
// that are there (PTX ISA, shfl.sync).
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/lane_mask.hpp"

// The types of 16 bits; their headers are their users' to include.
struct __half;
struct __nv_bfloat16;
struct hip_bfloat16;

namespace warpz {
namespace detail {

inline constexpr platform this_platform = platform::nvidia;

template <class _Tp>
inline constexpr bool is_half = std::is_same<_Tp, ::__half>::value;

template <class _Tp>
inline constexpr bool is_bfloat16 =
    std::is_same<_Tp, ::__nv_bfloat16>::value || std::is_same<_Tp, ::hip_bfloat16>::value;

__device__ __forceinline__ int warp_size() { return 32; }

__device__ __forceinline__ int lane_id() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ __forceinline__ unsigned read_lane(unsigned word, unsigned source, lane_mask mask) {
  return __shfl_sync(static_cast<unsigned>(mask), word, static_cast<int>(source));
}

__device__ __forceinline__ unsigned read_uniform_lane(unsigned word, unsigned source) {
  return read_lane(word, source, full_mask);
}

__device__ __forceinline__ lane_mask ballot(bool holds) {
  return __ballot_sync(static_cast<unsigned>(full_mask), holds ? 1 : 0);
}

/// Whether every warp of the block is complete. The same in all threads, and known to the compiler to be.
__device__ __forceinline__ bool has_full_warps() {
#ifdef WARPZ_FULL_WARPS
  return true;
#else
  return blockDim.x * blockDim.y * blockDim.z % 32 == 0;
#endif
}

/// How many lanes of the caller's warp the block has. Made of the block's shape and not of a vote, so that a compiler
/// computes it once, however many operations ask. A lane that has returned counts: every operation's contract says that
/// it has not.
__device__ __forceinline__ unsigned existing_warp_lanes() {
  if (has_full_warps()) return 32;
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned from_here = blockDim.x * blockDim.y * blockDim.z - (thread & ~31U);
  return from_here < 32 ? from_here : 32;
}

/// How many lanes there are up to the last one that a shuffle may ask for.
__device__ __forceinline__ unsigned lanes_up_to_last(lane_mask) { return existing_warp_lanes(); }

__device__ __forceinline__ lane_mask active_lanes() { return __activemask(); }

/// Hides from the compiler what `word` was made of, so that it keeps the word and not all that went into it.
__device__ __forceinline__ void hide_origin(unsigned& word) { asm("" : "+r"(word)); }

/// As another word at each call, so that the compiler does not keep what it has computed with the one before.
__device__ __forceinline__ void hide_origin_anew(unsigned& word) { asm volatile("" : "+r"(word)); }

__device__ __forceinline__ float add_rounded(float a, float b) { return __fadd_rn(a, b); }

__device__ __forceinline__ double add_rounded(double a, double b) { return __dadd_rn(a, b); }

template <class _Tp>
__device__ __forceinline__ unsigned short bits_of_half(const _Tp& v) {
  static_assert(sizeof(_Tp) == 2, "a half has 16 bits");
  unsigned short bits;
  __builtin_memcpy(&bits, &v, sizeof bits);
  return bits;
}

template <class _Tp>
__device__ __forceinline__ _Tp half_of_bits(unsigned short bits) {
  _Tp v;
  __builtin_memcpy(&v, &bits, sizeof bits);
  return v;
}

/// Twice in a word, as arithmetic leaves it in a register: a zero in the upper half would cost an instruction.
template <class _Tp>
__device__ __forceinline__ unsigned word_of_half(const _Tp& v) {
  unsigned word;
  asm("mov.b32 %0, {%1, %1};" : "=r"(word) : "h"(bits_of_half(v)));
  return word;
}

/// In the lower half of a word, with anything in the upper one, which where the value was chosen by a predicate is not
/// made yet.
template <class _Tp>
__device__ __forceinline__ unsigned chosen_word_of_half(const _Tp& v) {
  unsigned word;
  asm("{ .reg .b16 any; mov.b32 %0, {%1, any}; }" : "=r"(word) : "h"(bits_of_half(v)));
  return word;
}

// 64 bits as two registers: copied by memcpy they would cost moves.

__device__ __forceinline__ void split_pair(unsigned long long bits, unsigned& low, unsigned& high) {
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(bits));
}

__device__ __forceinline__ unsigned long long join_pair(unsigned low, unsigned high) {
  unsigned long long bits;
  asm("mov.b64 %0, {%1, %2};" : "=l"(bits) : "r"(low), "r"(high));
  return bits;
}

// In gpu.hpp.
template <class _Tp>
__device__ __forceinline__ float widen_bfloat16(_Tp v);
template <class _Tp>
__device__ __forceinline__ _Tp narrow_bfloat16(float v);

template <class _Tp>
__device__ __forceinline__ float widen_half(const _Tp& v) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(bits_of_half(v)));
  return wide;
}

template <class _Tp>
__device__ __forceinline__ _Tp narrow_half(float v) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(v));
  return half_of_bits<_Tp>(bits);
}

template <class _Tp>
__device__ __forceinline__ _Tp add_rounded(_Tp a, _Tp b) {
  unsigned short sum;
  asm("add.rn.f16 %0, %1, %2;" : "=h"(sum) : "h"(bits_of_half(a)), "h"(bits_of_half(b)));
  return half_of_bits<_Tp>(sum);
}

// What two values of 16 bits make: one instruction since sm_80, with the bits of the way through floats. There is no
// addition of bfloat16 before sm_90, but a + b is a * 1 + b, rounded once.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WARPZ_OF_HALVES(name, instruction, through_floats)                                           \
  template <class _Tp>                                                                               \
  __device__ __forceinline__ _Tp name(_Tp a, _Tp b) {                                                \
    unsigned short result;                                                                           \
    asm(instruction : "=h"(result) : "h"(bits_of_half(a)), "h"(bits_of_half(b)), "h"(bfloat16_one)); \
    return half_of_bits<_Tp>(result);                                                                \
  }
inline constexpr unsigned short bfloat16_one = 0x3f80;
#else
#define WARPZ_OF_HALVES(name, instruction, through_floats) \
  template <class _Tp>                                     \
  __device__ __forceinline__ _Tp name(_Tp a, _Tp b) {      \
    return through_floats;                                 \
  }
#endif

WARPZ_OF_HALVES(maximum_half, "max.f16 %0, %1, %2;", narrow_half<_Tp>(fmaxf(widen_half(a), widen_half(b))))
WARPZ_OF_HALVES(minimum_half, "min.f16 %0, %1, %2;", narrow_half<_Tp>(fminf(widen_half(a), widen_half(b))))
WARPZ_OF_HALVES(add_bfloat16, "fma.rn.bf16 %0, %1, %3, %2;",
                narrow_bfloat16<_Tp>(add_rounded(widen_bfloat16(a), widen_bfloat16(b))))
WARPZ_OF_HALVES(maximum_bfloat16, "max.bf16 %0, %1, %2;",
                narrow_bfloat16<_Tp>(fmaxf(widen_bfloat16(a), widen_bfloat16(b))))
WARPZ_OF_HALVES(minimum_bfloat16, "min.bf16 %0, %1, %2;",
                narrow_bfloat16<_Tp>(fminf(widen_bfloat16(a), widen_bfloat16(b))))

#undef WARPZ_OF_HALVES

}  // namespace detail
}  // namespace warpz

#include "warpz/detail/gpu.hpp"

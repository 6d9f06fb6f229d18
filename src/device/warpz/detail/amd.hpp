// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp operations on AMD's GPUs, wavefronts of 64 lanes (GCN, CDNA) or 32 (RDNA).
//
// The builtins below HIP's own functions are used: HIP 5 has no __shfl_*_sync, and that of HIP 6 and 7 runs a loop
// that checks its mask at every call. The lanes of a wavefront run in step, so nobody has to be waited for.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/lane_mask.hpp"

// The types of 16 bits; their headers are their users' to include.
struct __half;
struct hip_bfloat16;
struct __hip_bfloat16;

namespace warpz {
namespace detail {

inline constexpr platform this_platform = platform::amd;

template <class _Tp>
inline constexpr bool is_half = std::is_same<_Tp, ::__half>::value;

template <class _Tp>
inline constexpr bool is_bfloat16 =
    std::is_same<_Tp, ::hip_bfloat16>::value || std::is_same<_Tp, ::__hip_bfloat16>::value;

/// A constant up to HIP 6, a value of the running device since.
__device__ __forceinline__ int warp_size() { return warpSize; }

__device__ __forceinline__ int lane_id() {
  return static_cast<int>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)));
}

__device__ __forceinline__ unsigned read_lane(unsigned word, unsigned source, lane_mask) {
  // The instruction addresses lanes by bytes.
  const int address = static_cast<int>(source * sizeof(unsigned));
  return static_cast<unsigned>(__builtin_amdgcn_ds_bpermute(address, static_cast<int>(word)));
}

__device__ __forceinline__ unsigned read_uniform_lane(unsigned word, unsigned source) {
#ifdef WARPZ_PORTABLE
  return read_lane(word, source, full_mask);
#else
  return static_cast<unsigned>(__builtin_amdgcn_readlane(static_cast<int>(word), static_cast<int>(source)));
#endif
}

__device__ __forceinline__ lane_mask ballot(bool holds) { return __ballot(holds ? 1 : 0); }

/// How many lanes there are up to the last one that a shuffle may ask for: that one does not exist, or its value is
/// undefined. All lanes of the mask take part: not on the right of && nor of ?.
__device__ __forceinline__ unsigned lanes_up_to_last(lane_mask) {
#ifdef WARPZ_FULL_WARPS
  return static_cast<unsigned>(warp_size());
#else
  return static_cast<unsigned>(64 - __clzll(static_cast<long long>(__ballot(1))));
#endif
}

__device__ __forceinline__ lane_mask active_lanes() { return __ballot(1); }

/// Hides from the compiler what `word` was made of, so that it keeps the word and not all that went into it.
__device__ __forceinline__ void hide_origin(unsigned& word) { asm("" : "+v"(word)); }

/// As another word at each call, so that the compiler does not keep what it has computed with the one before.
__device__ __forceinline__ void hide_origin_anew(unsigned& word) { asm volatile("" : "+v"(word)); }

__device__ __forceinline__ float add_rounded(float a, float b) {
#pragma clang fp contract(off)
  return a + b;
}

__device__ __forceinline__ double add_rounded(double a, double b) {
#pragma clang fp contract(off)
  return a + b;
}

/// What a type of 16 bits is to the hardware.
template <class _Tp>
__device__ __forceinline__ _Float16 hardware_half(_Tp v) {
  static_assert(sizeof(_Tp) == sizeof(_Float16), "a half has 16 bits");
  _Float16 half;
  __builtin_memcpy(&half, &v, sizeof half);
  return half;
}

template <class _Tp>
__device__ __forceinline__ _Tp of_hardware(_Float16 half) {
  _Tp v;
  __builtin_memcpy(&v, &half, sizeof half);
  return v;
}

template <class _Tp>
__device__ __forceinline__ _Tp add_rounded(_Tp a, _Tp b) {
#pragma clang fp contract(off)
  return of_hardware<_Tp>(hardware_half(a) + hardware_half(b));
}

template <class _Tp>
__device__ __forceinline__ _Tp maximum_half(_Tp a, _Tp b) {
  return of_hardware<_Tp>(__builtin_fmaxf16(hardware_half(a), hardware_half(b)));
}

template <class _Tp>
__device__ __forceinline__ _Tp minimum_half(_Tp a, _Tp b) {
  return of_hardware<_Tp>(__builtin_fminf16(hardware_half(a), hardware_half(b)));
}

}  // namespace detail
}  // namespace warpz

#include "warpz/detail/gpu.hpp"

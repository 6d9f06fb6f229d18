// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that CUDA has and HIP has not.
#pragma once

#include "cuda/detail/packed_integers.h"
#include "cuda/detail/rounded_arithmetic.h"
#include "hip/detail/host_defines.h"

// On the host, too, where its C library lacks them.
#if !defined(__GLIBC_PREREQ) || !__GLIBC_PREREQ(2, 42)
extern "C" __host__ inline float rsqrtf(float x) noexcept { return 1.0f / sqrtf(x); }
extern "C" __host__ inline double rsqrt(double x) noexcept { return 1.0 / sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
#endif

SIMT_BOTH_SIDES_BEGIN

// Qualifiers of CUDA's own headers.
#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(bytes) __align__(bytes)

// The lesser and the greater of two integers.

__device__ __forceinline__ unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
__device__ __forceinline__ unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
__device__ __forceinline__ long long llmin(long long a, long long b) { return b < a ? b : a; }
__device__ __forceinline__ long long llmax(long long a, long long b) { return a < b ? b : a; }
__device__ __forceinline__ unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
__device__ __forceinline__ unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}

// Loads and stores that say how they are cached: this machine has one kind of memory.

#define SIMT_LOAD(name)                                     \
  template <class _Tp>                                      \
  __device__ __forceinline__ _Tp name(const _Tp* address) { \
    return *address;                                        \
  }
#define SIMT_STORE(name)                                          \
  template <class _Tp>                                            \
  __device__ __forceinline__ void name(_Tp* address, _Tp value) { \
    *address = value;                                             \
  }
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldlu)
SIMT_LOAD(__ldcv)
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)
#undef SIMT_LOAD
#undef SIMT_STORE

SIMT_BOTH_SIDES_END

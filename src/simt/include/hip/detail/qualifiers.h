// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's qualifiers. This file includes no other.
//
// hipcc's compiler has them without any header, and so have user programs.
#pragma once

#if defined(__HIP__) || defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __shared__ __attribute__((shared))
// LLVM IR for the CPU has no mark of its own for these, so they have annotations (src/instrument/annotations.hpp).
#define __global__ __attribute__((global, annotate("warpz_kernel")))
#define __launch_bounds__(...) \
  __attribute__((launch_bounds(__VA_ARGS__), annotate("warpz_launch_bounds", __warpz_launch_bound(__VA_ARGS__))))
/// A value of its own: an annotation takes no member of a temporary, such as `params<T>().threads`.
constexpr unsigned long long __warpz_launch_bound(unsigned long long threads, long long = 0, long long = 0) {
  return threads;
}
// The guards of HIP's and CUDA's own headers of qualifiers: libraries ask by them whether these are defined.
#ifdef __WARPZ_CUDA__
#define __HOST_DEFINES_H__
#else
#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#endif
#else
#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
/// One object per running block, as a block stays on one thread. `used`: a compiler would take what nobody writes for
/// zero, and leave out what nobody reads.
#define __shared__ static thread_local __attribute__((used))
#define __launch_bounds__(...)
#endif

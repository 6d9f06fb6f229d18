// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's qualifiers, for a C++ compiler for the CPU. This file includes no other.
#pragma once

/// The platform: the CPU machine, in place of a vendor.
#define __WARPZ_CPU__ 1

#define __host__
#if defined(WARPZ_PROGRAM) && defined(__clang__)
/// The marks by which warpz tells a program's device code from its host code (src/source/passes.hpp). A lambda can't
/// have one: warpz removes it there, and puts an annotation in place of the others (src/source/launches.hpp).
#define __device__ __warpz_device__
#define __global__ __attribute__((annotate("warpz_kernel")))
#define __constant__ __attribute__((annotate("warpz_device")))
#define __managed__ __attribute__((annotate("warpz_device")))
#else
#define __device__
#ifdef WARPZ_MARK_KERNELS
/// Puts the kernels of a file, even those that nothing calls, in a section of their own, where warpz finds them.
#define __global__ __attribute__((used, section("warpz_kernels")))
#else
#define __global__
#endif
#define __constant__
#define __managed__
#endif
/// One object per running block, as a block stays on one thread. `used`: a compiler would take what nobody writes for
/// zero, and leave out what nobody reads, where --check all has something to say.
#ifdef WARPZ_PROGRAM
/// A user program is rewritten before it is compiled; src/source/launches.hpp knows this mark, too.
#define __shared__ __warpz_shared__
#else
/// For `extern __shared__ T name[];` write HIP_DYNAMIC_SHARED(T, name).
#define __shared__ static thread_local __attribute__((used))
#endif

// Empty, as it is only a hint: anything else would break the standard library's own __attribute__((__noinline__)).
#define __noinline__
#define __forceinline__ inline __attribute__((always_inline))
#ifdef __clang__
#if __has_feature(thread_sanitizer)
/// src/source/launch_limit_checks.hpp reads it.
#define __launch_bounds__(...) __attribute__((annotate("warpz_launch_bounds", __VA_ARGS__)))
#endif
#endif
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define __maxnreg__(...)

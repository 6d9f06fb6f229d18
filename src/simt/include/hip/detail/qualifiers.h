// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's qualifiers, for a C++ compiler for the CPU. This file includes no other.
//
// hipcc's compiler has them without any header, and so have user programs.
#pragma once

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

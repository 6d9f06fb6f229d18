// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host and device code of a program, each from its own compilation, as hipcc does it: what kernels reach is device
// code, all else is host code.
//
//     __host__ __device__ float side(float x);      two functions: one calls the device's, one the host's
//     __global__ void scale(float*);                the device's; the host's code refers to it
//     __device__ float table[4]; __constant__ …     the device's; the host's code refers to it
//     static int calls;                             the host's; the device's code refers to it, where it does at all
//     static float filter[] of a kernel             the device's alone
//     template <class T> T max(T, T)                one for each, which linkers don't merge
//
// Text in, text out: Clang's intermediate code, before anything is optimized.
#pragma once

#include <span>
#include <string>

namespace warpz {

/// What __global__ and the qualifiers of variables become in a source: annotations, which its intermediate code has.
/// src/simt/include/hip/detail/qualifiers.h names them, too.
inline constexpr const char* kernel_mark = "warpz_kernel";
inline constexpr const char* device_mark = "warpz_device";

/// The intermediate code of one source.
struct source_passes {
  std::string host;
  std::string device;
};

/// Leaves in each code of a program what belongs there, and lets the two refer to each other.
void separate(std::span<source_passes> sources);

}  // namespace warpz

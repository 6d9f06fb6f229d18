// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kernels of this folder share. Each applies one operation of the device library to one value per thread;
// tests/amd/models.py says what has to come out, going by the kernel's name.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "warpz/warp.hpp"

namespace warp = warpz::warp;

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using f32 = float;
using f64 = double;

/// Neither commutes nor is associative, so its result tells the order of combinations.
struct hash {
  __device__ u32 operator()(u32 a, u32 b) const { return (a * 31 + 7) ^ (b * 0x9e3779b9u + (a >> 16)); }
};

/// The caller's number in the grid: block after block, in each block with x fastest.
__device__ inline unsigned thread_number() {
  const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + in_block;
}

/// A kernel that maps one value of type `in` to one of type `out`; the body sees `v` and the second input `which`,
/// the thread's own, for lanes and distances.
#define WARP_OPERATION(name, out, in, expression)                                     \
  extern "C" __global__ void name(out* output, const in* input, const u32* numbers) { \
    const unsigned i = thread_number();                                               \
    [[maybe_unused]] const in v = input[i];                                           \
    [[maybe_unused]] const u32 which = numbers[i];                                    \
    output[i] = expression;                                                           \
  }                                                                                   \
  static_assert(true, "takes the semicolon")

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads and warps the block has, and which one the caller is. Nothing else.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

/// CUDA's and HIP's limit.
inline constexpr unsigned max_block_threads = 1024;

/// In a block of 1024 threads and warps of 32.
inline constexpr unsigned max_block_warps = max_block_threads / 32;

// Where a block is known to have so many `threads`, all in x, each of these costs nothing; with 0 they ask the block.

template <unsigned threads = 0>
__device__ __forceinline__ unsigned block_threads() {
  return threads != 0 ? threads : blockDim.x * blockDim.y * blockDim.z;
}

/// x counts fastest, then y, then z.
template <unsigned threads = 0>
__device__ __forceinline__ unsigned thread_in_block() {
  return threads != 0 ? threadIdx.x : threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/// The last warp counts although the block may end within it.
template <unsigned threads = 0>
__device__ __forceinline__ unsigned block_warps() {
  const unsigned lanes = static_cast<unsigned>(warp_size());
  return (block_threads<threads>() + lanes - 1) / lanes;
}

template <unsigned threads = 0>
__device__ __forceinline__ unsigned warp_in_block() {
  return thread_in_block<threads>() / static_cast<unsigned>(warp_size());
}

}  // namespace detail
}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies since sm_80: each piece is a copy of the hardware's. The platform's header gives
// shared_address().
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/copy_pieces.hpp"
#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

template <std::size_t size>
__device__ __forceinline__ void copy_piece_async(void* target, const void* source) {
  if constexpr (size == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(target)),
                 "l"(__cvta_generic_to_global(source))
                 : "memory");
  } else if constexpr (size == 1) {
    *static_cast<char*>(target) = *static_cast<const char*>(source);
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(target)),
                 "l"(__cvta_generic_to_global(source)), "n"(size)
                 : "memory");
  }
}

__device__ __forceinline__ void copy_async(void* target, const void* source, std::size_t bytes, unsigned rank,
                                           unsigned count, site) {
  for_pieces(target, source, bytes, rank, count, [target, source](std::size_t offset, auto size) {
    copy_piece_async<size>(static_cast<char*>(target) + offset, static_cast<const char*>(source) + offset);
  });
}

__device__ __forceinline__ void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <unsigned groups_left>
__device__ __forceinline__ void copy_wait(site) {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups_left) : "memory");
}

}  // namespace detail
}  // namespace warpz

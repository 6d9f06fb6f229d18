// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What synchronization on AMD's and on NVIDIA's GPUs shares: nothing is checked, and no copy is kept back. The
// platform's header gives block_barrier().
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

__device__ __forceinline__ void whole_block_barrier(site at) { block_barrier(at); }

/// Rules are checked by the CPU machine.
__device__ __forceinline__ void require(bool, const char*, site) {}

/// Copies arrive by themselves.
__device__ __forceinline__ void before_looking(mbarrier_state&, site) {}

}  // namespace detail
}  // namespace warpz

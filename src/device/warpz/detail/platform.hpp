// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the one platform header. Each gives, in warpz::detail: this_platform, site and here(), warp_size(),
// lane_id(), the four shuffles, vote, active_mask, match_any, match_all, joined_lanes(), fetch(), which types of 16
// bits are numbers, the rounded addition, maximum and minimum of two values, and begin_vector().
#pragma once

#include <hip/hip_runtime.h>

#if __cplusplus < 201703L
#error "warpz needs C++17: compile with -std=c++17 (hipcc before ROCm 6 takes an older one by itself)"
#endif

namespace warpz {

/// Whose machine a kernel is compiled for: AMD's GPUs, NVIDIA's, or the CPU machine, which vendor() tells.
enum class platform { amd, nvidia, cpu };

}  // namespace warpz

#if defined(__WARPZ_CPU__)
#include "warpz/detail/cpu.hpp"
#elif defined(__HIP_PLATFORM_NVIDIA__)
#include "warpz/detail/nvidia.hpp"
#elif defined(__HIP_PLATFORM_AMD__)
#include "warpz/detail/amd.hpp"
#else
#error "warpz: <hip/hip_runtime.h> names neither AMD nor NVIDIA as its platform; compile with hipcc"
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the one platform header. Each gives, in warpz::detail: this_platform, site and here(), warp_size(),
// lane_id(), the four shuffles, vote, active_mask, and the rounded addition, maximum and minimum of two values.
#pragma once

#include <hip/hip_runtime.h>

namespace warpz {

enum class platform { amd, nvidia, cpu };

}  // namespace warpz

#if defined(__WARPZ_CPU__)
#include "warpz/detail/cpu.hpp"
#else
#error "warpz/warp.hpp: this version knows the CPU machine only; put warpz's own <hip/hip_runtime.h> first"
#endif

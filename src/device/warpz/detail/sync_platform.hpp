// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the platform's half of warpz/sync.hpp. Each gives, in warpz::detail: the barriers of the block (of those who
// are left, and of all of it) and of a warp, the fences, the named barriers, an acquiring load and a releasing store
// for the device, a relaxed load and store of 64 bits for it or the system, a streaming store of 16 bytes, end_row(),
// the mbarrier_* functions, the copies, prefetching, and what only AMD's compiler has: schedule barriers and wait
// counts.
#pragma once

#include "warpz/detail/platform.hpp"

#if defined(__WARPZ_CPU__)
#include "warpz/detail/sync_cpu.hpp"
#elif defined(__HIP_PLATFORM_NVIDIA__)
#include "warpz/detail/sync_nvidia.hpp"
#else
#include "warpz/detail/sync_amd.hpp"
#endif

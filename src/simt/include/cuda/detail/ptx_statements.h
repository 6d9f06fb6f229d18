// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang's plugin makes of PTX statements in assembly (src/instrument/ptx_statements.cpp): special registers,
// barriers and fences. Each gets the statement's name and where it stands.
//
// Registers of 32 bits stay so with 64 lanes: a set of lanes then lacks its upper half.
#pragma once

#include "hip/detail/barriers.h"
#include "hip/detail/clock.h"

#if defined(__HIP__) || defined(__CUDA__)

#define SIMT_PTX(name)                                                                                 \
  extern "C" inline __attribute__((device, used)) SIMT_OWN_CODE unsigned long long __warpz_ptx_##name( \
      [[maybe_unused]] const char* operation, [[maybe_unused]] const char* file, [[maybe_unused]] unsigned line)

SIMT_PTX(laneid) { return simt::running_lane_id(); }
SIMT_PTX(warpid) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return thread / static_cast<unsigned>(simt::current_warp_size);
}
SIMT_PTX(lanemask_eq) { return 1ull << simt::running_lane_id(); }
SIMT_PTX(lanemask_lt) { return (1ull << simt::running_lane_id()) - 1; }
SIMT_PTX(lanemask_le) { return (2ull << simt::running_lane_id()) - 1; }
SIMT_PTX(lanemask_gt) { return ~0ull << simt::running_lane_id() << 1; }
SIMT_PTX(lanemask_ge) { return ~0ull << simt::running_lane_id(); }

SIMT_PTX(clock) { return static_cast<unsigned long long>(simt::hip::clock_after_others({operation, file, line})); }
SIMT_PTX(bar_sync) {
  simt::block_barrier(simt::combine::nothing, false, {operation, file, line});
  return 0;
}
SIMT_PTX(membar) {
  __threadfence({operation, file, line});
  return 0;
}
SIMT_PTX(trap) { __builtin_trap(); }
#undef SIMT_PTX

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clocks and sleeping.
//
// All count nanoseconds of the host's steady clock, so the clock rates that the device reports are 1 GHz. Each call
// is a scheduling point: a loop that waits for a time lets others run. clock() has the C library's name;
// inside a kernel it does what clock64() does.
#pragma once

#include "hip/detail/c_library.h"
#include "hip/detail/host_defines.h"
#include "hip/detail/site.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

SIMT_API long long nanoseconds() noexcept;

__forceinline__ long long clock_after_others(const site& at) {
  yield(at);
  return nanoseconds();
}

}  // namespace hip
}  // namespace simt

__device__ __forceinline__ long long clock64(simt::site at = simt::hip::here("clock64")) {
  return simt::hip::clock_after_others(at);
}
__device__ __forceinline__ long long __clock64(simt::site at = simt::hip::here("__clock64")) {
  return simt::hip::clock_after_others(at);
}
__device__ __forceinline__ long long __clock(simt::site at = simt::hip::here("__clock")) {
  return simt::hip::clock_after_others(at);
}
__device__ __forceinline__ long long wall_clock64(simt::site at = simt::hip::here("wall_clock64")) {
  return simt::hip::clock_after_others(at);
}

/// Lets others run. The time is a hint, on a GPU too.
__device__ __forceinline__ void __nanosleep(unsigned /*nanoseconds*/, simt::site at = simt::hip::here("__nanosleep")) {
  simt::yield(at);
}
__device__ __forceinline__ void __builtin_amdgcn_s_sleep(int /*cycles*/,
                                                         simt::site at = simt::hip::here("__builtin_amdgcn_s_sleep")) {
  simt::yield(at);
}

SIMT_BOTH_SIDES_END

#if defined(__HIP__) || defined(__CUDA__)
/// Of the device's code, so that Clang's plugin sees where a lane stops.
extern "C" __device__ inline clock_t clock() noexcept {
  return static_cast<clock_t>(simt::hip::clock_after_others(simt::site{"clock", "", 0}));
}
#endif

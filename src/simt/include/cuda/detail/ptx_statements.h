// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang's plugin makes of PTX statements in assembly that are no plain arithmetic
// (src/instrument/ptx_machine.cpp): special registers, shuffles and votes, barriers and fences. Each gets the
// statement's name and where it stands.
//
// Registers of 32 bits stay so with 64 lanes: a set of lanes then lacks its upper half.
#pragma once

#include "cuda/detail/rounded_arithmetic.h"
#include "hip/detail/barriers.h"
#include "hip/detail/clock.h"
#include "hip/detail/failures.h"
#include "hip/detail/shuffles.h"
#include "hip/detail/votes.h"

#if defined(__HIP__) || defined(__CUDA__)

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

inline unsigned thread_of_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

/// The source lane of PTX's shfl, by its own formulas, which are for 32 lanes. `control` has the last lane that may be
/// read (or the first one, for up) and, from bit 8 on, the bits of a lane's number that say which segment it is in.
struct ptx_source {
  unsigned lane;
  bool is_in_range;

  __forceinline__ static ptx_source of(char mode, unsigned operand, unsigned control) {
    const unsigned self = own_lane() & 31, rest = own_lane() & ~31u;
    const unsigned distance = operand & 31, segment = control >> 8 & 31, clamp = control & 31;
    const unsigned first = self & segment, last = first | (clamp & ~segment);
    const unsigned source = mode == 'u'   ? self - distance
                            : mode == 'd' ? self + distance
                            : mode == 'x' ? self ^ distance
                                          : first | (distance & ~segment);
    const bool is_in_range = mode == 'u' ? static_cast<int>(source) >= static_cast<int>(last) : source <= last;
    return {rest + (is_in_range ? source : self), is_in_range};
  }
};

__forceinline__ unsigned long long ptx_shuffle(participants who, char mode, unsigned value, unsigned operand,
                                               unsigned control, const site& at) {
  const ptx_source from = ptx_source::of(mode, operand, control);
  const unsigned got = read_lane<unsigned>(who, value, shuffle_source(from.lane), at);
  return static_cast<unsigned long long>(from.is_in_range) << 32 | got;
}

}  // namespace hip
}  // namespace simt

SIMT_BOTH_SIDES_END

#define SIMT_PTX(name, ...)                                                                            \
  extern "C" inline __attribute__((device, used)) SIMT_OWN_CODE unsigned long long __warpz_ptx_##name( \
      [[maybe_unused]] const char* operation, [[maybe_unused]] const char* file,                       \
      [[maybe_unused]] unsigned line __VA_OPT__(, ) __VA_ARGS__)

SIMT_PTX(laneid) { return simt::running_lane_id(); }
SIMT_PTX(warpid) { return simt::hip::thread_of_block() / static_cast<unsigned>(simt::current_warp_size); }
SIMT_PTX(lanemask_eq) { return 1ull << simt::running_lane_id(); }
SIMT_PTX(lanemask_lt) { return (1ull << simt::running_lane_id()) - 1; }
SIMT_PTX(lanemask_le) { return (2ull << simt::running_lane_id()) - 1; }
SIMT_PTX(lanemask_gt) { return ~0ull << simt::running_lane_id() << 1; }
SIMT_PTX(lanemask_ge) { return ~0ull << simt::running_lane_id(); }

#define SIMT_PTX_COORDINATES(name, variable) \
  SIMT_PTX(name##_x) { return variable.x; }  \
  SIMT_PTX(name##_y) { return variable.y; }  \
  SIMT_PTX(name##_z) { return variable.z; }
SIMT_PTX_COORDINATES(tid, threadIdx)
SIMT_PTX_COORDINATES(ntid, blockDim)
SIMT_PTX_COORDINATES(ctaid, blockIdx)
SIMT_PTX_COORDINATES(nctaid, gridDim)
#undef SIMT_PTX_COORDINATES

SIMT_PTX(clock) { return static_cast<unsigned long long>(simt::hip::clock_after_others({operation, file, line})); }

/// 0 threads are all of the block.
SIMT_PTX(bar_sync, unsigned threads) {
  const unsigned all = blockDim.x * blockDim.y * blockDim.z;
  if (threads != 0 && threads < all) {
    simt::assertion_failed("a barrier of a part of the block's threads is not on the CPU machine", file, line,
                           operation);
  }
  simt::block_barrier(simt::combine::nothing, false, {operation, file, line});
  return 0;
}
SIMT_PTX(bar_warp_sync, unsigned mask) {
  simt::collect(simt::hip::resolve_sync, simt::hip::checked_mask(mask), 0, 0, {operation, file, line});
  return 0;
}
SIMT_PTX(membar) {
  __threadfence({operation, file, line});
  return 0;
}
SIMT_PTX(trap) { __builtin_trap(); }
SIMT_PTX(exit) { simt::end_lane(); }

#define SIMT_PTX_SHUFFLE(name, mode)                                                                              \
  SIMT_PTX(shfl_sync_##name, unsigned value, unsigned operand, unsigned control, unsigned mask) {                 \
    return simt::hip::ptx_shuffle(simt::hip::checked_mask(mask), mode, value, operand, control,                   \
                                  {operation, file, line});                                                       \
  }                                                                                                               \
  SIMT_PTX(shfl_##name, unsigned value, unsigned operand, unsigned control) {                                     \
    return simt::hip::ptx_shuffle(simt::hip::whole_warp, mode, value, operand, control, {operation, file, line}); \
  }
SIMT_PTX_SHUFFLE(up, 'u')
SIMT_PTX_SHUFFLE(down, 'd')
SIMT_PTX_SHUFFLE(bfly, 'x')
SIMT_PTX_SHUFFLE(idx, 'i')
#undef SIMT_PTX_SHUFFLE

#define SIMT_PTX_VOTE(name, function)                                                                  \
  SIMT_PTX(vote_sync_##name, bool holds, unsigned mask) {                                              \
    return static_cast<unsigned long long>(                                                            \
        simt::hip::function(simt::hip::checked_mask(mask), holds, simt::site{operation, file, line})); \
  }                                                                                                    \
  SIMT_PTX(vote_##name, bool holds) {                                                                  \
    return static_cast<unsigned long long>(                                                            \
        simt::hip::function(simt::hip::whole_warp, holds, simt::site{operation, file, line}));         \
  }
SIMT_PTX_VOTE(ballot, ballot)
SIMT_PTX_VOTE(any, any)
SIMT_PTX_VOTE(all, all)
#undef SIMT_PTX_VOTE

SIMT_PTX(match_any_sync_b32, unsigned value, unsigned mask) {
  return simt::collect(simt::hip::resolve_match_any, simt::hip::checked_mask(mask), value, 0, {operation, file, line});
}
SIMT_PTX(match_any_sync_b64, unsigned long long value, unsigned mask) {
  return simt::collect(simt::hip::resolve_match_any, simt::hip::checked_mask(mask), value, 0, {operation, file, line});
}
SIMT_PTX(activemask) { return simt::collect_active(simt::hip::resolve_present, 0, 0, {operation, file, line}); }

#undef SIMT_PTX

// Rounded towards zero.
extern "C" inline __attribute__((device, used)) float __warpz_ptx_mul_rz(const char*, const char*, unsigned, float a,
                                                                         float b) {
  return __fmul_rz(a, b);
}
extern "C" inline __attribute__((device, used)) float __warpz_ptx_fma_rz(const char*, const char*, unsigned, float a,
                                                                         float b, float c) {
  return __fmaf_rz(a, b, c);
}

#endif

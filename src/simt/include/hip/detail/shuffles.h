// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shfl, __shfl_up, __shfl_down, __shfl_xor, and the same with a mask.
//
// Which lane is read follows AMD's headers to the letter (amd_warp_functions.h), in 32-bit integers that wrap, for
// every offset, lane number and width; the lane number counts modulo the warp size in the end. So __shfl takes the
// source modulo the width, and the others give a lane its own value where the source leaves the segment upwards
// (or, for __shfl_up, downwards), whereas a negative offset of __shfl_down and __shfl_xor does leave it.
//
// Without a mask all lanes of the warp that the block has take part; with one, the lanes it names. Others need not
// come, and may be elsewhere. Lanes that cannot all arrive, or a caller that its own mask does not name, end the
// run with a finding; by AMD's or NVIDIA's rules some need not come (docs/machine.md). A value read from a lane that
// takes no part is undefined: all bits set.
//
// Values are int, unsigned, long, unsigned long, long long, unsigned long long, float and double, and half where
// <hip/hip_fp16.h> is included. The last parameter is never given.
#pragma once

#include "hip/detail/coordinates.h"
#include "hip/detail/lane_values.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

inline unsigned own_lane() { return running_lane_id(); }

inline shuffle_source shfl_source(int source, int width) {
  const unsigned within = static_cast<unsigned>(width) - 1;
  return {(static_cast<unsigned>(source) & within) + (own_lane() & ~within), source, width, excess::lane};
}

inline shuffle_source shfl_up_source(unsigned delta, int width) {
  const int segment = static_cast<int>(own_lane() & ~(static_cast<unsigned>(width) - 1));
  const int source = static_cast<int>(own_lane() - delta);
  return {source < segment ? own_lane() : own_lane() - delta, static_cast<int>(delta), width, excess::distance};
}

inline shuffle_source shfl_down_source(unsigned delta, int width) {
  const int within = static_cast<int>((own_lane() & (static_cast<unsigned>(width) - 1)) + delta);
  return {within >= width ? own_lane() : own_lane() + delta, static_cast<int>(delta), width, excess::distance};
}

inline shuffle_source shfl_xor_source(int bits, int width) {
  const int self = static_cast<int>(own_lane());
  const int segment_end =
      static_cast<int>((own_lane() + static_cast<unsigned>(width)) & ~(static_cast<unsigned>(width) - 1));
  const int source = self ^ bits;
  return {static_cast<unsigned>(source >= segment_end ? self : source), bits, width, excess::distance};
}

/// Under --check all, a width that is no size of a segment is a finding.
__forceinline__ void check_width(int width, const site& at) {
  const bool is_size = width > 0 && (width & (width - 1)) == 0 && width <= current_warp_size;
  if (checks_operands && !is_size) {
    report_operand("a shuffle has a width of %d: it has to be a power of two, and at most the warp size", width, at);
  }
}

template <class _Tp>
__forceinline__ moved<_Tp> shuffle(participants who, _Tp value, const shuffle_source& source, const site& at) {
  check_width(source.width, at);
  static_assert(lane_value<_Tp>::allowed,
                "HIP shuffles int, unsigned, long, unsigned long, long long, unsigned long long, float and double "
                "(and half with <hip/hip_fp16.h>); move anything else in parts of 32 or 64 bits");
  return read_lane<moved<_Tp>>(who, value, source, at);
}

}  // namespace hip
}  // namespace simt

/// The value of lane `source` of the caller's segment of `width` lanes.
template <class _Tp>
__device__ __forceinline__ simt::hip::moved<_Tp> __shfl(_Tp value, int source, int width = warpSize,
                                                        simt::site at = simt::hip::here("__shfl")) {
  return simt::hip::shuffle(simt::hip::whole_warp, value, simt::hip::shfl_source(source, width), at);
}

/// The value of the lane `delta` below; the caller's own where that is before its segment of `width` lanes.
template <class _Tp>
__device__ __forceinline__ simt::hip::moved<_Tp> __shfl_up(_Tp value, unsigned delta, int width = warpSize,
                                                           simt::site at = simt::hip::here("__shfl_up")) {
  return simt::hip::shuffle(simt::hip::whole_warp, value, simt::hip::shfl_up_source(delta, width), at);
}

/// The value of the lane `delta` above; the caller's own where that is past its segment of `width` lanes.
template <class _Tp>
__device__ __forceinline__ simt::hip::moved<_Tp> __shfl_down(_Tp value, unsigned delta, int width = warpSize,
                                                             simt::site at = simt::hip::here("__shfl_down")) {
  return simt::hip::shuffle(simt::hip::whole_warp, value, simt::hip::shfl_down_source(delta, width), at);
}

/// The value of the lane whose number differs in `bits`; the caller's own where that is past its segment.
template <class _Tp>
__device__ __forceinline__ simt::hip::moved<_Tp> __shfl_xor(_Tp value, int bits, int width = warpSize,
                                                            simt::site at = simt::hip::here("__shfl_xor")) {
  return simt::hip::shuffle(simt::hip::whole_warp, value, simt::hip::shfl_xor_source(bits, width), at);
}

/// __shfl among the lanes of `mask`.
template <class _Mask, class _Tp>
__device__ __forceinline__ simt::hip::moved<_Tp> __shfl_sync(_Mask mask, _Tp value, int source, int width = warpSize,
                                                             simt::site at = simt::hip::here("__shfl_sync")) {
  return simt::hip::shuffle(simt::hip::checked_mask(mask), value, simt::hip::shfl_source(source, width), at);
}

/// __shfl_up among the lanes of `mask`.
template <class _Mask, class _Tp>
__device__ __forceinline__ simt::hip::moved<_Tp> __shfl_up_sync(_Mask mask, _Tp value, unsigned delta,
                                                                int width = warpSize,
                                                                simt::site at = simt::hip::here("__shfl_up_sync")) {
  return simt::hip::shuffle(simt::hip::checked_mask(mask), value, simt::hip::shfl_up_source(delta, width), at);
}

/// __shfl_down among the lanes of `mask`.
template <class _Mask, class _Tp>
__device__ __forceinline__ simt::hip::moved<_Tp> __shfl_down_sync(_Mask mask, _Tp value, unsigned delta,
                                                                  int width = warpSize,
                                                                  simt::site at = simt::hip::here("__shfl_down_sync")) {
  return simt::hip::shuffle(simt::hip::checked_mask(mask), value, simt::hip::shfl_down_source(delta, width), at);
}

/// __shfl_xor among the lanes of `mask`.
template <class _Mask, class _Tp>
__device__ __forceinline__ simt::hip::moved<_Tp> __shfl_xor_sync(_Mask mask, _Tp value, int bits, int width = warpSize,
                                                                 simt::site at = simt::hip::here("__shfl_xor_sync")) {
  return simt::hip::shuffle(simt::hip::checked_mask(mask), value, simt::hip::shfl_xor_source(bits, width), at);
}

SIMT_BOTH_SIDES_END

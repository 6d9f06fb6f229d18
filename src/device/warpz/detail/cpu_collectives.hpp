// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, extremes and their scans on the CPU machine, where lanes meet once: the last lane to arrive takes the steps of
// collectives.hpp for all of them, with the same bits. Where somebody looks at the steps, each of them is a shuffle, as
// on a GPU.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstring>

#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

#ifdef WARPZ_PORTABLE
template <class _Tp, class _Combine>
inline constexpr bool meets_once = false;
#else
template <class _Tp, class _Combine>
inline constexpr bool meets_once = is_number<_Tp>&& commutes<_Combine>;
#endif

/// The values of the lanes that meet: all that the block has of the warp, from lane 0 on.
template <class _Tp>
struct met_values {
  unsigned count;
  _Tp of[simt::max_warp_size];

  __device__ SIMT_OWN_CODE met_values(const simt::collective_slots& operands, simt::lane_mask group)
      : count(64 - static_cast<unsigned>(__builtin_clzll(group))) {
    for (unsigned lane = 0; lane < count; ++lane) std::memcpy(&of[lane], &operands.value[lane], sizeof(_Tp));
  }

  __device__ SIMT_OWN_CODE void give(simt::collective_slots& operands) const {
    for (unsigned lane = 0; lane < count; ++lane) operands.result[lane] = word_of(of[lane], 0);
  }
};

/// reduce_xor.
template <class _Tp, class _Combine, unsigned lanes, unsigned stride>
__device__ inline SIMT_OWN_CODE void resolve_reduction(simt::collective_slots& operands, simt::lane_mask group) {
  met_values<_Tp> values(operands, group);
  const unsigned span = lanes == 0 || lanes * stride > operands.warp_size ? operands.warp_size : lanes * stride;
  for (unsigned step = stride; step < span; step *= 2) {
    const met_values<_Tp> before = values;
    for (unsigned lane = 0; lane < values.count; ++lane) {
      const unsigned partners = (lane ^ step) & ~(step - stride);
      if (partners < values.count) values.of[lane] = _Combine{}(before.of[partners], before.of[lane]);
    }
  }
  values.give(operands);
}

/// inclusive_scan. From the last lane down, so that each finds what the lanes before it had before the step.
template <class _Tp, class _Combine>
__device__ inline SIMT_OWN_CODE void scan_values(met_values<_Tp>& values, unsigned warp_size, unsigned row) {
  for (unsigned stride = 1; stride < row; stride *= 2) {
    for (unsigned lane = values.count; lane-- > stride;) {
      if ((lane & (row - 1)) >= stride) values.of[lane] = _Combine{}(values.of[lane - stride], values.of[lane]);
    }
  }
  for (unsigned part = row; part < warp_size; part *= 2) {
    for (unsigned lane = part; lane < values.count; ++lane) {
      if ((lane & part) != 0) values.of[lane] = _Combine{}(values.of[(lane & ~(part - 1)) - 1], values.of[lane]);
    }
  }
}

template <class _Tp, class _Combine, unsigned row>
__device__ inline SIMT_OWN_CODE void resolve_inclusive_scan(simt::collective_slots& operands, simt::lane_mask group) {
  met_values<_Tp> values(operands, group);
  scan_values<_Tp, _Combine>(values, operands.warp_size, row);
  values.give(operands);
}

/// Each lane gets what the inclusive scan has in the lane before; the value of lane 0 is unspecified.
template <class _Tp, class _Combine, unsigned row>
__device__ inline SIMT_OWN_CODE void resolve_exclusive_scan(simt::collective_slots& operands, simt::lane_mask group) {
  met_values<_Tp> values(operands, group);
  scan_values<_Tp, _Combine>(values, operands.warp_size, row);
  for (unsigned lane = values.count; lane-- > 1;) values.of[lane] = values.of[lane - 1];
  values.give(operands);
}

template <class _Tp>
__device__ _Tp meet(simt::collective_op op, const _Tp& v, const site& at) {
  const std::uint64_t word = simt::collect(op, full_mask, word_of(v, 0), 0, at.typed(simt::value_type_of<_Tp>()));
  _Tp result = v;
  std::memcpy(&result, &word, sizeof result);
  return result;
}

template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
__device__ _Tp reduce_at_once(_Tp v, _Combine, const site& at) {
  return meet(resolve_reduction<_Tp, _Combine, lanes, stride>, v, at);
}

template <unsigned row, class _Tp, class _Combine>
__device__ _Tp scan_at_once(_Tp v, _Combine, const site& at) {
  return meet(resolve_inclusive_scan<_Tp, _Combine, row>, v, at);
}

template <unsigned row, class _Tp, class _Combine>
__device__ _Tp scan_before_at_once(_Tp v, _Combine, const site& at) {
  return meet(resolve_exclusive_scan<_Tp, _Combine, row>, v, at);
}

}  // namespace detail
}  // namespace warpz

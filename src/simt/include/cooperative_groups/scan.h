// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups::inclusive_scan and exclusive_scan: each thread of a tile or a coalesced group gets the values of
// the threads up to its own, or before it, combined.
#pragma once

#define _CG_SCAN_H

#include <cooperative_groups.h>

#include "cuda/detail/group_operators.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {

template <class _Group, class _Tp, class _Operator>
__device__ _Tp inclusive_scan(const _Group& group, const _Tp& value, _Operator&& combine,
                              simt::site at = simt::hip::here("inclusive_scan")) {
  if constexpr (constexpr unsigned threads = internal::threads_of_warps<_Group>; threads != 0) {
    return internal::scan_tile_of_warps(threads, value, std::forward<_Operator>(combine), at);
  } else {
    const unsigned rank = group.thread_rank();
    _Tp all = value;
    for (unsigned stride = 1; stride < group.size(); stride *= 2) {
      const _Tp other = group.shfl_up(all, stride, at);
      if (rank >= stride) all = combine(other, all);
    }
    return all;
  }
}

template <class _Group, class _Tp>
__device__ _Tp inclusive_scan(const _Group& group, const _Tp& value,
                              simt::site at = simt::hip::here("inclusive_scan")) {
  return inclusive_scan(group, value, plus<_Tp>(), at);
}

/// The first thread's result is 0 for a sum; for another operator it is a value without meaning.
template <class _Group, class _Tp, class _Operator>
__device__ _Tp exclusive_scan(const _Group& group, const _Tp& value, _Operator&& combine,
                              simt::site at = simt::hip::here("exclusive_scan")) {
  const _Tp up_to_here = inclusive_scan(group, value, combine, at);
  const unsigned rank = group.thread_rank();
  if constexpr (constexpr unsigned threads = internal::threads_of_warps<_Group>; threads != 0) {
    const _Tp before = internal::value_of_rank(threads, up_to_here, rank == 0 ? 0 : rank - 1, at);
    return rank == 0 ? _Tp() : before;
  } else {
    const _Tp before = group.shfl_up(up_to_here, 1, at);
    return rank == 0 ? _Tp() : before;
  }
}

template <class _Group, class _Tp>
__device__ _Tp exclusive_scan(const _Group& group, const _Tp& value,
                              simt::site at = simt::hip::here("exclusive_scan")) {
  return exclusive_scan(group, value, plus<_Tp>(), at);
}

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups::reduce: the values of all threads of a tile or a coalesced group combined, in each of them.
//
// Neighbors are combined first (ranks 1, 2, 4, … apart). The values are of any type that can be copied bit by bit.
#pragma once

#define _CG_REDUCE_H

#include <cooperative_groups.h>

#include <type_traits>

#include "cuda/detail/group_operators.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {

template <class _Group, class _Tp, class _Operator>
__device__ _Tp reduce(const _Group& group, const _Tp& value, _Operator&& combine,
                      simt::site at = simt::hip::here("reduce")) {
  using operation = std::decay_t<_Operator>;
  if constexpr (constexpr unsigned threads = internal::threads_of_warps<_Group>; threads != 0) {
    return internal::reduce_tile_of_warps(threads, value, std::forward<_Operator>(combine), at);
  } else if constexpr (sizeof(_Tp) <= sizeof(std::uint64_t) && std::is_empty_v<operation> &&
                       std::is_default_constructible_v<operation>) {
    return simt::hip::from_word<_Tp>(simt::collect(simt::hip::resolve_reduce<_Tp, operation>,
                                                   internal::group_members::lanes_of(group), simt::hip::to_word(value),
                                                   0, at.typed(simt::value_type_of<_Tp>())));
  } else {
    const unsigned rank = group.thread_rank();
    const unsigned size = group.size();
    _Tp all = value;
    for (unsigned stride = 1; stride < size; stride *= 2) {
      const _Tp other = group.shfl_down(all, stride, at);
      if (rank % (2 * stride) == 0 && rank + stride < size) all = combine(all, other);
    }
    return group.shfl(all, 0, at);
  }
}

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END

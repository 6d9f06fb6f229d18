// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's cooperative groups: HIP's (hip/hip_cooperative_groups.h), whose sets of lanes have 32 bits here and whose
// shuffles move any type, and what only CUDA has. Clusters do not exist on this machine.
#pragma once

#define _COOPERATIVE_GROUPS_H_

#include <cuda_runtime.h>
#include <hip/hip_cooperative_groups.h>

#include "cuda/detail/group_members.h"
#include "cuda/detail/warp_tiles.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {

/// The threads of the group that have the same label as the caller. All threads of the group take part.
template <class _Group, class _Label>
__device__ coalesced_group labeled_partition(const _Group& parent, _Label label,
                                             simt::site at = simt::hip::here("labeled_partition")) {
  return internal::group_members::group_of(
      simt::collect(simt::hip::resolve_match_any, internal::group_members::lanes_of(parent), simt::hip::to_word(label),
                    0, at.typed(simt::value_type_of<_Label>())));
}

/// Calls the function in one thread of the group.
template <class _Group, class _Function, class... _Arguments>
__device__ void invoke_one(const _Group& group, _Function&& function, _Arguments&&... arguments) {
  if (group.thread_rank() == 0) std::forward<_Function>(function)(std::forward<_Arguments>(arguments)...);
}

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups: objects that name threads, through which these synchronize and exchange values.
//
// The grid, the block, its tiles of 2^n lanes, and the lanes that are active together. A group's collective
// functions wait for the group's own threads only: two tiles of one warp may be at different places. Threads of a
// group that cannot all arrive end the run with a finding. The multi-device grid is not covered.
//
// The last parameter, `at`, of a collective function is never given.
#pragma once

#include <hip/hip_runtime.h>

#include "hip/detail/group_base.h"
#include "hip/detail/group_blocks.h"
#include "hip/detail/group_coalesced.h"
#include "hip/detail/group_tiles.h"

namespace cooperative_groups {

/// The members of any group, as functions.
template <class _Group>
__device__ uint32_t group_size(const _Group& group) {
  return group.size();
}
template <class _Group>
__device__ uint32_t thread_rank(const _Group& group) {
  return group.thread_rank();
}
template <class _Group>
__device__ bool is_valid(const _Group& group) {
  return group.is_valid();
}
template <class _Group>
__device__ void sync(const _Group& group, simt::site at = simt::hip::here("sync")) {
  group.sync(at);
}

}  // namespace cooperative_groups

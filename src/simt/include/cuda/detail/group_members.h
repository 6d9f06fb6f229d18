// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA's functions of groups that are no members are made of.
#pragma once

#include <hip/hip_cooperative_groups.h>

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {
namespace internal {

struct group_members {
  /// The lanes of a group within a warp.
  __device__ static simt::lane_mask lanes_of(const thread_group& group) { return group.lanes_; }
  __device__ static coalesced_group group_of(simt::lane_mask lanes) { return coalesced_group(lanes); }
};

}  // namespace internal
}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all cooperative groups have: a size, the caller's rank, and a way to wait for each other.
#pragma once

#include "hip/detail/barriers.h"
#include "hip/detail/coordinates.h"
#include "hip/detail/dim3.h"
#include "hip/detail/grid_barrier.h"
#include "hip/detail/lane_values.h"
#include "hip/detail/shuffles.h"
#include "hip/detail/votes.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {

namespace internal {

/// For functions of groups that are no members (cuda/detail/group_members.h).
struct group_members;

enum group_type {
  cg_invalid,
  cg_multi_grid,
  cg_grid,
  cg_workgroup,
  cg_tiled_group,
  cg_coalesced_group,
  cg_tile_of_warps
};

__device__ inline uint32_t threads_of(const simt::coordinates& extent) { return extent.x * extent.y * extent.z; }

__device__ inline uint32_t rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ inline uint32_t rank_of_block() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }

__device__ inline simt::lane_mask lanes_below(unsigned lane) { return (simt::lane_mask{1} << lane) - 1; }

/// The caller's place among the lanes of `members`.
__device__ inline uint32_t rank_among(simt::lane_mask members) {
  return static_cast<uint32_t>(__builtin_popcountll(members & lanes_below(simt::this_lane->lane_id)));
}

/// The bits of `lanes` at the places of `members`, without gaps: a set of lanes as a set of ranks.
__device__ inline unsigned long long as_ranks(simt::lane_mask members, simt::lane_mask lanes) {
  unsigned long long ranks = 0;
  unsigned rank = 0;
  simt::hip::for_each_lane(members, [&](unsigned lane) { ranks |= (lanes >> lane & 1) << rank++; });
  return ranks;
}

/// The lanes of the caller's tile of `size` lanes, including those that the block lacks.
__device__ inline simt::lane_mask tile_lanes(unsigned size) {
  const simt::lane_mask first = size >= simt::max_warp_size ? ~simt::lane_mask{0} : lanes_below(size);
  return first << (simt::this_lane->lane_id & ~(size - 1));
}

/// The lanes of the caller's warp that the block has.
__device__ inline simt::lane_mask existing_lanes() {
  const uint32_t from_here = threads_of(blockDim) - (rank_in_block() - simt::this_lane->lane_id);
  return from_here >= simt::max_warp_size ? ~simt::lane_mask{0} : lanes_below(from_here);
}

/// Ends the run where a group of `size` lanes is impossible.
__device__ inline void check_tile_size(unsigned size, const simt::site& at) {
  if (size == 0 || (size & (size - 1)) != 0) {
    simt::assertion_failed("the tile size is a power of two", at.file, at.line, at.operation);
  }
  if (size > static_cast<unsigned>(simt::current_warp_size)) {
    simt::assertion_failed("the tile size is at most warpSize", at.file, at.line, at.operation);
  }
}

__device__ __forceinline__ void sync_lanes(simt::lane_mask members, const simt::site& at) {
  simt::collect(simt::hip::resolve_sync, members, 0, 0, at);
}

#ifdef __WARPZ_CUDA__
/// Of a tile that is larger than CUDA's warps (cuda/detail/warp_tiles.h).
__device__ inline void sync_tile_of_warps(unsigned size, const simt::site& at);
#endif

/// Whether a tile of so many threads may have several warps.
#ifdef __WARPZ_CUDA__
constexpr bool may_have_warps(unsigned size) { return size > 32; }
#else
constexpr bool may_have_warps(unsigned) { return false; }
#endif

/// The value of a lane among the members. HIP's groups shuffle numbers, CUDA's any type.
template <class _Tp>
__device__ __forceinline__ _Tp shuffle(simt::lane_mask members, const _Tp& value, const simt::hip::shuffle_source& lane,
                                       const simt::site& at) {
#ifdef __WARPZ_CUDA__
  if constexpr (sizeof(_Tp) > sizeof(std::uint64_t)) {
    std::uint64_t words[(sizeof(_Tp) + 7) / 8] = {};
    memcpy(words, &value, sizeof value);
    for (std::uint64_t& each : words) each = simt::hip::read_lane(members, each, lane, at);
    _Tp result;
    memcpy(&result, words, sizeof result);
    return result;
  } else {
    return simt::hip::read_lane(members, value, lane, at);
  }
#else
  static_assert(std::is_arithmetic_v<_Tp>, "a group shuffles integers and floats");
  return static_cast<_Tp>(simt::hip::shuffle(members, value, lane, at));
#endif
}

}  // namespace internal

/// A group of any kind: a copy of one of the others.
class thread_group {
 public:
  /// Threads in the group.
  __device__ uint32_t size() const { return size_; }
  __device__ uint32_t num_threads() const { return size_; }
  __device__ unsigned cg_type() const { return type_; }

  /// The caller's number in the group, from 0.
  __device__ uint32_t thread_rank() const {
    switch (type_) {
      case internal::cg_grid:
        return internal::rank_of_block() * internal::threads_of(blockDim) + internal::rank_in_block();
      case internal::cg_workgroup:
        return internal::rank_in_block();
      case internal::cg_tile_of_warps:
        return internal::rank_in_block() & (size_ - 1);
      default:
        return internal::rank_among(lanes_);
    }
  }

  /// Whether the group may synchronize: false only for the grid of a launch that is not cooperative.
  __device__ bool is_valid() const { return type_ != internal::cg_grid || simt::hip::launch_is_cooperative(); }

  /// Waits for all threads of the group. What they wrote before, they all see afterwards.
  __device__ void sync(simt::site at = simt::hip::here("thread_group::sync")) const {
    switch (type_) {
      case internal::cg_grid:
        simt::hip::grid_barrier(at);
        break;
      case internal::cg_workgroup:
        simt::block_barrier(simt::combine::nothing, false, at);
        break;
#ifdef __WARPZ_CUDA__
      case internal::cg_tile_of_warps:
        internal::sync_tile_of_warps(size_, at);
        break;
#endif
      default:
        internal::sync_lanes(lanes_, at);
    }
  }

 protected:
  __device__ thread_group(internal::group_type type, uint32_t size, simt::lane_mask lanes = 0)
      : type_(type), size_(size), lanes_(lanes) {}

  /// Members, where they are lanes of one warp. May name lanes that the block lacks.
  __device__ simt::lane_mask lanes() const { return lanes_; }

 private:
  friend struct internal::group_members;
  friend thread_group this_thread();
  friend thread_group tiled_partition(const thread_group&, unsigned, simt::site);

  internal::group_type type_;
  uint32_t size_;
  simt::lane_mask lanes_;
};

/// The calling thread alone.
__device__ inline thread_group this_thread() {
  return thread_group(internal::cg_coalesced_group, 1, simt::lane_mask{1} << simt::this_lane->lane_id);
}

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END

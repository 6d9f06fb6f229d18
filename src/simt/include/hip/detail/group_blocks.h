// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cooperative groups above the warp: the block and the grid.
#pragma once

#include "hip/detail/group_base.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {

/// The threads of the caller's block.
class thread_block : public thread_group {
 public:
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_threads() { return blockDim; }
  __device__ static uint32_t size() { return internal::threads_of(blockDim); }
  __device__ static uint32_t num_threads() { return size(); }
  __device__ static uint32_t thread_rank() { return internal::rank_in_block(); }
  __device__ static bool is_valid() { return true; }

  /// As __syncthreads.
  __device__ static void sync(simt::site at = simt::hip::here("thread_block::sync")) {
    simt::block_barrier(simt::combine::nothing, false, at);
  }

 private:
  friend thread_block this_thread_block();
  __device__ thread_block() : thread_group(internal::cg_workgroup, size()) {}
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

/// The threads of the launch.
class grid_group : public thread_group {
 public:
  __device__ static dim3 group_dim() { return blockDim; }
  __device__ static dim3 dim_blocks() { return gridDim; }
  __device__ static dim3 block_index() { return blockIdx; }
  __device__ static uint32_t num_blocks() { return internal::threads_of(gridDim); }
  __device__ static uint32_t block_rank() { return internal::rank_of_block(); }

  /// Whether the launch is a cooperative one (hipLaunchCooperativeKernel).
  __device__ static bool is_valid() { return simt::hip::launch_is_cooperative(); }

  /// Waits for all threads of the launch, which has to be a cooperative one.
  __device__ static void sync(simt::site at = simt::hip::here("grid_group::sync")) { simt::hip::grid_barrier(at); }

 protected:
  friend grid_group this_grid();
  __device__ grid_group() : thread_group(internal::cg_grid, num_blocks() * internal::threads_of(blockDim)) {}
};

__device__ inline grid_group this_grid() { return grid_group(); }

/// The grids of hipLaunchCooperativeKernelMultiDevice, which are one on this machine.
class multi_grid_group : public grid_group {
 public:
  __device__ static uint32_t num_grids() { return 1; }
  __device__ static uint32_t grid_rank() { return 0; }

 private:
  friend multi_grid_group this_multi_grid();
  __device__ multi_grid_group() = default;
};

__device__ inline multi_grid_group this_multi_grid() { return multi_grid_group(); }

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The block's barriers and the memory fences.
//
// Every thread of the block that has not returned must reach the same call of a barrier; before __syncthreads warps may
// have returned as a whole. Otherwise there is a finding. Writes before a barrier are seen after it.
#pragma once

#include "hip/detail/host_defines.h"
#include "hip/detail/site.h"

SIMT_BOTH_SIDES_BEGIN

/// Waits for all threads of the block.
__device__ __forceinline__ void __syncthreads(simt::site at = simt::hip::here("__syncthreads")) {
  simt::block_barrier(simt::combine::nothing, false, at);
}

/// Waits for all threads of the block. Returns the number of threads whose predicate is not 0.
__device__ __forceinline__ int __syncthreads_count(int predicate,
                                                   simt::site at = simt::hip::here("__syncthreads_count")) {
  return simt::block_barrier(simt::combine::count, predicate != 0, at);
}

/// Waits for all threads of the block. Returns 1 if no predicate is 0, otherwise 0.
__device__ __forceinline__ int __syncthreads_and(int predicate, simt::site at = simt::hip::here("__syncthreads_and")) {
  return simt::block_barrier(simt::combine::all, predicate != 0, at);
}

/// Waits for all threads of the block. Returns 1 if a predicate is not 0, otherwise 0.
__device__ __forceinline__ int __syncthreads_or(int predicate, simt::site at = simt::hip::here("__syncthreads_or")) {
  return simt::block_barrier(simt::combine::any, predicate != 0, at);
}

// Each fence is a scheduling point, so a lane that spins on one lets others run. All three order memory for all
// threads and the host; on the CPU a narrower scope would not be cheaper.

/// Orders this thread's memory accesses as the other threads of the device see them.
__device__ __forceinline__ void __threadfence(simt::site at = simt::hip::here("__threadfence")) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  simt::yield(at);
}

/// Orders this thread's memory accesses as the other threads of the block see them.
__device__ __forceinline__ void __threadfence_block(simt::site at = simt::hip::here("__threadfence_block")) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  simt::yield(at);
}

/// Orders this thread's memory accesses as the host and the other devices see them.
__device__ __forceinline__ void __threadfence_system(simt::site at = simt::hip::here("__threadfence_system")) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  simt::yield(at);
}

SIMT_BOTH_SIDES_END

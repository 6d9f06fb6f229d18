// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between global and shared memory that go on while the threads do something else. Part of warpz/sync.hpp.
//
// Where the hardware has none the threads copy by themselves when they begin, with the same meaning. The CPU machine
// does the opposite: it copies as late as it may, so a kernel that reads too early finds the data missing.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/mbarrier.hpp"

namespace warpz {

/// Begins to copy `bytes` bytes from global memory at `src` to shared memory at `dst_shared`, together with the other
/// `count` − 1 threads that call it with the same addresses: the caller is number `rank` of them and copies its
/// share. All `count` threads take part, not necessarily together; the share of one that doesn't is not copied.
///
/// Its share is complete after the caller's async_copy_commit() and async_copy_wait(); a barrier() then makes all
/// shares seen by all:
///
///     warpz::async_copy(tile, input, sizeof tile);
///     warpz::async_copy_commit();
///     …
///     warpz::async_copy_wait<0>();
///     warpz::barrier();
///
/// Until then nobody touches the destination or changes the source. Any address and size will do; pieces of 16, 8 or 4
/// bytes, as both addresses are aligned, are what the hardware copies. In NVIDIA's hardware since sm_80; elsewhere
/// each thread copies its share at once.
/// Other names: cp.async (PTX), cooperative_groups::memcpy_async (CUDA), async_copy (Mojo).
__device__ __forceinline__ void async_copy(void* dst_shared, const void* src, std::size_t bytes, unsigned rank,
                                           unsigned count, detail::site at = detail::here("async_copy")) {
  detail::copy_async(dst_shared, src, bytes, rank, count, at);
}

/// Copies as above, with all threads of the block. All of them take part; the share of one that doesn't is not copied.
__device__ __forceinline__ void async_copy(void* dst_shared, const void* src, std::size_t bytes,
                                           detail::site at = detail::here("async_copy")) {
  detail::copy_async(dst_shared, src, bytes, detail::thread_in_block(), detail::block_threads(), at);
}

/// Ends a group: the copies that the caller has begun since its last call. Any thread may call it; groups are each
/// thread's own.
/// Other names: cp.async.commit_group (PTX), async_copy_commit_group (Mojo).
__device__ __forceinline__ void async_copy_commit() { detail::copy_commit(); }

/// Waits until at most the newest `groups_left` of the caller's groups are incomplete. Any thread may call it. Copies
/// that are in no group yet are not waited for. It does not wait for other threads' copies: call barrier() after it.
/// Other names: cp.async.wait_group (PTX), async_copy_wait_group (Mojo).
template <unsigned groups_left = 0>
__device__ __forceinline__ void async_copy_wait(detail::site at = detail::here("async_copy_wait")) {
  detail::copy_wait<groups_left>(at);
}

/// Begins to copy `bytes` bytes from global to shared memory, all by itself, and tells `done` when they have come. One
/// thread calls it, and announces the bytes with done.arrive_expect_tx(), before or after; whoever has seen that phase
/// complete sees the bytes.
///
/// Both addresses and `bytes` are multiples of 16. What other threads did with the destination before lies behind a
/// barrier. In NVIDIA's hardware since sm_90 (the bulk copy engine); elsewhere the calling thread copies at once.
/// Other names: cp.async.bulk (PTX), cuda::memcpy_async with a barrier (CUDA), cp_async_bulk_… (Mojo).
__device__ __forceinline__ void async_bulk_copy(void* dst_shared, const void* src, unsigned bytes, mbarrier& done,
                                                detail::site at = detail::here("async_bulk_copy")) {
  detail::bulk_load(dst_shared, src, bytes, done.state_, at);
}

/// Begins to copy `bytes` bytes from shared to global memory, all by itself. One thread calls it, after a barrier()
/// behind the writes of the others, and then async_bulk_commit() and async_bulk_wait(); until then nobody changes the
/// source. Sizes and hardware as in async_bulk_copy.
/// Other names: cp.async.bulk.global.shared::cta.bulk_group (PTX).
__device__ __forceinline__ void async_bulk_store(void* dst, const void* src_shared, unsigned bytes,
                                                 detail::site at = detail::here("async_bulk_store")) {
  detail::bulk_store(dst, src_shared, bytes, at);
}

/// Ends a group: the bulk stores that the caller has begun since its last call. Any thread may call it; groups are each
/// thread's own.
/// Other names: cp.async.bulk.commit_group (PTX), cp_async_bulk_commit_group (Mojo).
__device__ __forceinline__ void async_bulk_commit() { detail::bulk_commit(); }

/// Waits until at most the newest `groups_left` of the caller's groups of bulk stores are incomplete. Any thread may
/// call it. Other names: cp.async.bulk.wait_group (PTX), cp_async_bulk_wait_group (Mojo).
template <unsigned groups_left = 0>
__device__ __forceinline__ void async_bulk_wait(detail::site at = detail::here("async_bulk_wait")) {
  detail::bulk_wait<groups_left>(at);
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Synchronization on the CPU machine. All lanes of a block share one thread of the operating system; every wait lets
// others run, so it ends when they have done their part.
//
// Asynchronous copies are kept back until they are waited for: that is the latest moment that the promise allows, and
// a kernel that forgets to wait finds its data missing every time.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simt/copies.hpp"
#include "simt/instrumented.hpp"
#include "simt/lane.hpp"
#include "simt/noted_access.hpp"
#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/copy_pieces.hpp"
#include "warpz/detail/mbarrier_state.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/scope.hpp"

namespace warpz {
namespace detail {

__device__ inline void block_barrier(const site& at) { simt::block_barrier(simt::combine::nothing, false, at); }

__device__ inline void resolve_warp_barrier(simt::collective_slots&, simt::lane_mask group) {
  simt::order_memory(group);
}

__device__ inline void warp_barrier(lane_mask mask, const site& at) {
  simt::collect(resolve_warp_barrier, mask, 0, 0, at);
}

/// One order for all threads of all scopes, and a scheduling point.
template <scope>
__device__ inline void fence(const site& at) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  simt::yield(at);
}

__device__ inline std::int32_t load_acquire(const std::int32_t* address, const site& at) {
  simt::yield(at);
  simt::note_access(address, simt::access_effect::looked);
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

__device__ inline void store_release(std::int32_t* address, std::int32_t value, const site& at) {
  simt::yield(at);
  simt::note_store(address, value);
  __atomic_store_n(address, value, __ATOMIC_RELEASE);
}

template <scope = scope::device>
__device__ inline unsigned long long load_relaxed(const unsigned long long* address, const site& at) {
  simt::yield(at);
  simt::note_access(address, simt::access_effect::looked);
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

template <scope = scope::device>
__device__ inline void store_relaxed(unsigned long long* address, unsigned long long value, const site& at) {
  simt::yield(at);
  simt::note_store(address, value);
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

/// NVIDIA's assembler alone needs it.
__device__ inline void end_row() {}

/// Ends the kernel with a finding where a rule is broken.
__device__ inline void require(bool holds, const char* rule, const site& at) {
  if (!holds) simt::assertion_failed(rule, at.file, at.line, at.operation);
}

/// A barrier that warps which have returned don't do without.
__device__ inline void whole_block_barrier(const site& at) {
  const int arrived = simt::block_barrier(simt::combine::presence, true, at);
  require(static_cast<unsigned>(arrived) == block_threads(), "all threads of the block take part", at);
}

__device__ inline void pause(const site& at) { simt::yield(at); }

/// Even, and another one for each block.
__device__ inline std::uint64_t block_identity() { return *simt::this_lane->block_serial << 1; }

template <class _Word>
__device__ inline _Word read_shared(const _Word* word) {
  // What tells whether it was set up is read first.
  simt::allow_unwritten(word, sizeof *word);
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

template <class _Word>
__device__ inline void write_shared(_Word* word, _Word value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// Lets others run first, so that they do come between a lane's looking and its replacing.
template <class _Word>
__device__ inline bool replace_shared(_Word* word, _Word& expected, _Word desired, const site& at) {
  simt::yield(at);
  const bool done = __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  simt::note_access(word, done ? simt::access_effect::changed : simt::access_effect::looked);
  return done;
}

/// Gives what is under way to an mbarrier its chance to arrive.
__device__ inline void before_looking(mbarrier_state& barrier, const site& at);

}  // namespace detail
}  // namespace warpz

#include "warpz/detail/amd_schedule_elsewhere.hpp"
#include "warpz/detail/software_mbarrier.hpp"
#include "warpz/detail/software_named_barrier.hpp"

namespace warpz {
namespace detail {

/// By the lane that completes it; what an mbarrier's copy reads and writes was noted by whoever began it.
__device__ inline void complete_copy(const simt::pending_copy& copy, bool is_noted) {
  if (!is_noted) simt::note_copy(copy.target, copy.source, copy.bytes);
  simt::copy_unchecked(copy.target, copy.source, copy.bytes);
}

/// Completes all but the last `max_left` groups that were committed, and those that were not.
__device__ inline void complete_copies(simt::copy_queue queue, unsigned max_left) {
  for (simt::pending_copy each; simt::take_copy(queue, max_left, each);) complete_copy(each, false);
}

__device__ inline void copy_async(void* target, const void* source, std::size_t bytes, unsigned rank, unsigned count,
                                  const site& at) {
  require(rank < count, "the caller is one of the threads that share the copy", at);
  const simt::unchecked_scope own;
  for_pieces(target, source, bytes, rank, count, [&](std::size_t offset, std::size_t size) {
    simt::begin_copy(simt::copy_queue::loads,
                     {static_cast<char*>(target) + offset, static_cast<const char*>(source) + offset, size});
  });
}

__device__ inline void copy_commit() {
  const simt::unchecked_scope own;
  simt::commit_copies(simt::copy_queue::loads);
}

template <unsigned groups_left>
__device__ inline void copy_wait(const site& at) {
  simt::yield(at);
  const simt::unchecked_scope own;
  complete_copies(simt::copy_queue::loads, groups_left);
}

template <class _Access>
__device__ inline void store_streaming(_Access* place, const _Access& value) {
  *place = value;
}

__device__ inline void require_bulk(const void* target, const void* source, std::size_t bytes, const site& at) {
  require((reinterpret_cast<std::uintptr_t>(target) | reinterpret_cast<std::uintptr_t>(source) | bytes) % 16 == 0,
          "the addresses and the number of bytes of a bulk copy are multiples of 16", at);
}

inline constexpr bool copies_in_bulk = false;

__device__ inline void bulk_load(void* target, const void* source, unsigned bytes, mbarrier_state& barrier,
                                 const site& at) {
  require_bulk(target, source, bytes, at);
  const simt::unchecked_scope own;
  // Whoever sees the bytes come sees what this lane has seen: the copy is its own.
  simt::note_copy(target, source, bytes);
  simt::release_word(&barrier.word);
  simt::begin_copy_on(&barrier, {target, source, bytes});
}

__device__ inline void bulk_store(void* target, const void* source, unsigned bytes, const site& at) {
  require_bulk(target, source, bytes, at);
  const simt::unchecked_scope own;
  simt::begin_copy(simt::copy_queue::bulk_stores, {target, source, bytes});
}

// Without an engine for it, nothing is asked for ahead.
__device__ inline void bulk_prefetch(const void*, unsigned) {}
__device__ inline unsigned prefetch_distance(unsigned) { return 0; }

__device__ inline void bulk_commit() {
  const simt::unchecked_scope own;
  simt::commit_copies(simt::copy_queue::bulk_stores);
}

template <unsigned groups_left>
__device__ inline void bulk_wait(const site& at) {
  simt::yield(at);
  const simt::unchecked_scope own;
  complete_copies(simt::copy_queue::bulk_stores, groups_left);
}

/// Completes the bulk copies that somebody has already looked for in vain: the first look finds none complete.
__device__ inline void before_looking(mbarrier_state& barrier, const site& at) {
  simt::look_for_copies(&barrier);
  // Completing lets other lanes run, which may look too.
  for (simt::pending_copy each; simt::take_due_copy(&barrier, each);) {
    {
      const simt::unchecked_scope own;
      complete_copy(each, true);
    }
    mbarrier_complete_tx(barrier, static_cast<unsigned>(each.bytes), at);
  }
}

}  // namespace detail
}  // namespace warpz

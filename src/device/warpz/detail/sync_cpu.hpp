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
#include <vector>

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

inline void block_barrier(const site& at) { simt::block_barrier(simt::combine::nothing, false, at); }

inline void resolve_warp_barrier(simt::collective_slots&, simt::lane_mask group) { simt::order_memory(group); }

inline void warp_barrier(lane_mask mask, const site& at) { simt::collect(resolve_warp_barrier, mask, 0, 0, at); }

/// One order for all threads of all scopes, and a scheduling point.
template <scope>
inline void fence(const site& at) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  simt::yield(at);
}

inline std::int32_t load_acquire(const std::int32_t* address, const site& at) {
  simt::yield(at);
  simt::note_access(address, simt::access_effect::looked);
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

inline void store_release(std::int32_t* address, std::int32_t value, const site& at) {
  simt::yield(at);
  simt::note_store(address, value);
  __atomic_store_n(address, value, __ATOMIC_RELEASE);
}

template <scope = scope::device>
inline unsigned long long load_relaxed(const unsigned long long* address, const site& at) {
  simt::yield(at);
  simt::note_access(address, simt::access_effect::looked);
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

template <scope = scope::device>
inline void store_relaxed(unsigned long long* address, unsigned long long value, const site& at) {
  simt::yield(at);
  simt::note_store(address, value);
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

/// NVIDIA's assembler alone needs it.
inline void end_row() {}

/// Ends the kernel with a finding where a rule is broken.
inline void require(bool holds, const char* rule, const site& at) {
  if (!holds) simt::assertion_failed(rule, at.file, at.line, at.operation);
}

/// A barrier that warps which have returned don't do without.
inline void whole_block_barrier(const site& at) {
  const int arrived = simt::block_barrier(simt::combine::count, true, at);
  require(static_cast<unsigned>(arrived) == block_threads(), "all threads of the block take part", at);
}

inline void pause(const site& at) { simt::yield(at); }

/// Even, and another one for each block.
inline std::uint64_t block_identity() { return *simt::this_lane->block_serial << 1; }

template <class _Word>
inline _Word read_shared(const _Word* word) {
  // What tells whether it was set up is read first.
  simt::allow_unwritten(word, sizeof *word);
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

template <class _Word>
inline void write_shared(_Word* word, _Word value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/// Lets others run first, so that they do come between a lane's looking and its replacing.
template <class _Word>
inline bool replace_shared(_Word* word, _Word& expected, _Word desired, const site& at) {
  simt::yield(at);
  const bool done = __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  simt::note_access(word, done ? simt::access_effect::changed : simt::access_effect::looked);
  return done;
}

/// Gives what is under way to an mbarrier its chance to arrive.
inline void before_looking(mbarrier_state& barrier, const site& at);

}  // namespace detail
}  // namespace warpz

#include "warpz/detail/amd_schedule_elsewhere.hpp"
#include "warpz/detail/software_mbarrier.hpp"
#include "warpz/detail/software_named_barrier.hpp"

namespace warpz {
namespace detail {

struct pending_copy {
  void* target;
  const void* source;
  std::size_t bytes;
  unsigned group;

  /// By the lane that completes it; an mbarrier's was noted by whoever began it.
  void complete(bool noted = false) const {
    if (!noted) simt::note_copy(target, source, bytes);
    simt::copy_unchecked(target, source, bytes);
  }
};

/// The copies that one thread has begun, oldest first.
struct pending_copies {
  std::vector<pending_copy> list;
  unsigned group = 0;  ///< the one that is being made

  void add(void* target, const void* source, std::size_t bytes) { list.push_back({target, source, bytes, group}); }

  /// Completes all but the last `max_left` groups that were committed, and those that were not.
  void complete(unsigned max_left) {
    std::size_t done = 0;
    while (done < list.size() && group - list[done].group > max_left) list[done++].complete();
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(done));
  }
};

/// A copy that completes on an mbarrier.
struct pending_bulk_copy {
  pending_copy copy;
  mbarrier_state* barrier;
  bool overdue;  ///< somebody has looked at the barrier since it began
};

struct thread_copies {
  pending_copies copies, bulk_stores;
};

/// All that is under way in a block.
struct block_copies {
  std::uint64_t block_serial = 0;
  std::vector<thread_copies> by_thread;
  std::vector<pending_bulk_copy> bulk;
};

inline block_copies& copies_of_block() {
  static thread_local block_copies all;
  if (all.block_serial != *simt::this_lane->block_serial) {
    all.block_serial = *simt::this_lane->block_serial;
    all.by_thread.assign(block_threads(), {});
    all.bulk.clear();
  }
  return all;
}

inline thread_copies& copies_of_thread() { return copies_of_block().by_thread[thread_in_block()]; }

inline void copy_async(void* target, const void* source, std::size_t bytes, unsigned rank, unsigned count,
                       const site& at) {
  require(rank < count, "the caller is one of the threads that share the copy", at);
  const simt::unchecked_scope own;
  pending_copies& mine = copies_of_thread().copies;
  for_pieces(target, source, bytes, rank, count, [&](std::size_t offset, std::size_t size) {
    mine.add(static_cast<char*>(target) + offset, static_cast<const char*>(source) + offset, size);
  });
}

inline void copy_commit() {
  const simt::unchecked_scope own;
  ++copies_of_thread().copies.group;
}

template <unsigned groups_left>
inline void copy_wait(const site& at) {
  simt::yield(at);
  const simt::unchecked_scope own;
  copies_of_thread().copies.complete(groups_left);
}

template <class _Access>
inline void store_streaming(_Access* place, const _Access& value) {
  *place = value;
}

inline void require_bulk(const void* target, const void* source, std::size_t bytes, const site& at) {
  require((reinterpret_cast<std::uintptr_t>(target) | reinterpret_cast<std::uintptr_t>(source) | bytes) % 16 == 0,
          "the addresses and the number of bytes of a bulk copy are multiples of 16", at);
}

inline constexpr bool copies_in_bulk = false;

inline void bulk_load(void* target, const void* source, unsigned bytes, mbarrier_state& barrier, const site& at) {
  require_bulk(target, source, bytes, at);
  const simt::unchecked_scope own;
  // Whoever sees the bytes come sees what this lane has seen: the copy is its own.
  simt::note_copy(target, source, bytes);
  simt::release_word(&barrier.word);
  copies_of_block().bulk.push_back({{target, source, bytes, 0}, &barrier, false});
}

inline void bulk_store(void* target, const void* source, unsigned bytes, const site& at) {
  require_bulk(target, source, bytes, at);
  const simt::unchecked_scope own;
  copies_of_thread().bulk_stores.add(target, source, bytes);
}

// Without an engine for it, nothing is asked for ahead.
inline void bulk_prefetch(const void*, unsigned) {}
inline unsigned prefetch_distance() { return 0; }

inline void bulk_commit() {
  const simt::unchecked_scope own;
  ++copies_of_thread().bulk_stores.group;
}

template <unsigned groups_left>
inline void bulk_wait(const site& at) {
  simt::yield(at);
  const simt::unchecked_scope own;
  copies_of_thread().bulk_stores.complete(groups_left);
}

/// Completes the bulk copies that somebody has already looked for in vain: the first look finds none complete.
inline void before_looking(mbarrier_state& barrier, const site& at) {
  std::vector<pending_bulk_copy> due;
  {
    const simt::unchecked_scope own;
    std::vector<pending_bulk_copy>& all = copies_of_block().bulk;
    for (std::size_t i = 0; i < all.size();) {
      if (all[i].barrier == &barrier && all[i].overdue) {
        due.push_back(all[i]);
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        if (all[i].barrier == &barrier) all[i].overdue = true;
        ++i;
      }
    }
  }
  // Completing lets other lanes run, which may look too.
  for (const pending_bulk_copy& each : due) {
    each.copy.complete(true);
    mbarrier_complete_tx(barrier, static_cast<unsigned>(each.copy.bytes), at);
  }
}

}  // namespace detail
}  // namespace warpz

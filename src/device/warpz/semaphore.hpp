// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores: how blocks hand over to each other through a word in global memory. Part of warpz/sync.hpp.
//
// The word is set before the launch. Blocks that wait for others need those to run: let a block wait only for blocks
// with a lower number, or launch no more than are alive at once.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/sync_platform.hpp"

namespace warpz {

/// A block's view of a lock word, on which it waits as a whole. Blocks in order, for a word that is 0 at the start:
///
///     warpz::semaphore turn(lock);
///     turn.wait(blockIdx.x);
///     …                               what the blocks before wrote is seen here
///     turn.release(blockIdx.x + 1);
///
/// Everywhere; acquiring loads and releasing stores of the device's scope.
/// Other names: Semaphore (Mojo; CUTLASS).
class semaphore {
 public:
  /// All threads of the block make one, on the same word.
  __device__ __forceinline__ explicit semaphore(std::int32_t* lock) : lock_(lock) {}

  /// Reads the word, for state(), in the block's first thread alone; nothing in the others. Any thread may call it; it
  /// waits for nobody.
  __device__ __forceinline__ void fetch(detail::site at = detail::here("semaphore::fetch")) {
    if (detail::thread_in_block() == 0) state_ = detail::load_acquire(lock_, at);
  }

  /// What the word was when the caller last knew it: after wait() what was waited for, in all threads; after fetch()
  /// what was read, in the block's first thread. −1 before. Any thread may call it.
  __device__ __forceinline__ std::int32_t state() const { return state_; }

  /// Waits until the word is `status`. Whatever was written before it was released with this value is seen after.
  /// All threads of the block take part; the first one looks again and again.
  __device__ __forceinline__ void wait(std::int32_t status = 0, detail::site at = detail::here("semaphore::wait")) {
    if (detail::thread_in_block() == 0) {
      while (detail::load_acquire(lock_, at) != status) {
      }
    }
    detail::block_barrier(at);
    state_ = status;
  }

  /// Sets the word to `status` when all threads of the block are here, with all that they wrote before.
  /// All threads of the block take part.
  __device__ __forceinline__ void release(std::int32_t status = 0,
                                          detail::site at = detail::here("semaphore::release")) {
    detail::block_barrier(at);
    if (detail::thread_in_block() == 0) detail::store_release(lock_, status, at);
  }

 private:
  std::int32_t* lock_;
  std::int32_t state_ = -1;
};

/// A semaphore for a group of warps of a block, which meets at named barriers of its own while the others go on:
/// several groups of a block may hand over independently.
///
/// Everywhere, as named_barrier is. Other names: NamedBarrierSemaphore (Mojo).
class named_barrier_semaphore {
 public:
  /// All threads of the group make one: `thread` counts the group's threads from 0, which is the one that looks;
  /// `threads` is how many they are, in whole warps; `first_id` is the named barrier that the id 0 below stands for.
  __device__ __forceinline__ named_barrier_semaphore(std::int32_t* lock, unsigned thread, unsigned threads,
                                                     unsigned first_id = 1)
      : lock_(lock), thread_(thread), threads_(threads), first_id_(first_id) {}

  /// What the word was when the caller last looked, in the group's first thread; −1 before, and in the others.
  /// Any thread may call it.
  __device__ __forceinline__ std::int32_t state() const { return state_; }

  /// Waits until the word is `status`. All threads of the group take part; they meet at named barrier `first_id` + id.
  __device__ __forceinline__ void wait_eq(unsigned id, std::int32_t status = 0,
                                          detail::site at = detail::here("named_barrier_semaphore::wait_eq")) {
    if (thread_ == 0) {
      do {
        state_ = detail::load_acquire(lock_, at);
      } while (state_ != status);
    }
    detail::named_barrier(first_id_ + id, threads_, at);
  }

  /// Waits as long as the word is less than `count`. All threads of the group take part.
  __device__ __forceinline__ void wait_lt(unsigned id, std::int32_t count = 0,
                                          detail::site at = detail::here("named_barrier_semaphore::wait_lt")) {
    if (thread_ == 0) {
      do {
        state_ = detail::load_acquire(lock_, at);
      } while (state_ < count);
    }
    detail::named_barrier(first_id_ + id, threads_, at);
  }

  /// Sets the word to `status` when all threads of the group are here, with all that they wrote before. All of them
  /// take part.
  __device__ __forceinline__ void arrive_set(unsigned id, std::int32_t status = 0,
                                             detail::site at = detail::here("named_barrier_semaphore::arrive_set")) {
    detail::named_barrier(first_id_ + id, threads_, at);
    if (thread_ == 0) detail::store_release(lock_, status, at);
  }

 private:
  std::int32_t* lock_;
  unsigned thread_, threads_, first_id_;
  std::int32_t state_ = -1;
};

}  // namespace warpz

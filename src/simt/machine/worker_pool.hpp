// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that run the blocks of one launch at a time. Whoever launches holds the lock but for the time that it waits.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "simt/machine/block.hpp"
#include "simt/machine/faults.hpp"
#include "simt/machine/job.hpp"

namespace simt {

/// A thread that runs blocks, one at a time.
struct worker {
  std::size_t index = 0;
  std::condition_variable wake;  ///< it may take part in a launch
  block current;
  std::atomic<bool> in_block{false};
  stop_answer stopped;
  pthread_t thread{};
};

class worker_pool {
 protected:
  worker_pool() = default;
  ~worker_pool() = default;
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;

  /// Begins a launch in which `count` workers may take part. False as for allow().
  bool begin(job& work, std::size_t count);

  /// Lets `count` workers take part in the current launch; creates the missing ones. False where the process may have
  /// no more threads.
  bool allow(std::size_t count);

  /// A number that changes whenever a block has ended, a collective or barrier was passed, or an atomic has changed a
  /// value.
  std::uint64_t progress_of(const job& work) const;

  /// Runs blocks in the worker's thread. The lock is held, but while they run.
  virtual void run_blocks(worker& self, job& work, std::unique_lock<std::mutex>& lock) = 0;

  std::mutex mutex_;
  std::condition_variable idle_;  ///< the last worker has left the launch
  std::vector<std::unique_ptr<worker>> workers_;
  job* job_ = nullptr;
  std::uint64_t generation_ = 0;
  std::size_t allowed_ = 0;  ///< workers with a lower index may take part
  std::size_t busy_ = 0;
  std::size_t sampled_ = 0;  ///< counts the workers that were asked what they execute

 private:
  [[noreturn]] void serve(worker& self);
  void wake(std::size_t index);
};

}  // namespace simt

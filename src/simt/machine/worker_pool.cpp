// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/worker_pool.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

namespace simt {

bool worker_pool::begin(job& work, std::size_t count) {
  job_ = &work;
  ++generation_;
  allowed_ = 0;
  return allow(count);
}

bool worker_pool::allow(std::size_t count) {
  while (workers_.size() < count) {
    workers_.push_back(std::make_unique<worker>());
    worker& added = *workers_.back();
    added.index = workers_.size() - 1;
    try {
      std::thread thread([this, &added] { serve(added); });
      added.thread = thread.native_handle();
      thread.detach();
    } catch (const std::system_error&) {
      workers_.pop_back();
      break;
    }
  }
  const std::size_t first = std::exchange(allowed_, std::min(count, workers_.size()));
  // The first one of a launch wakes others, which wake others: all at once would wait for the lock one after the other.
  for (std::size_t i = first; i < (first == 0 ? 1 : allowed_); ++i) wake(i);
  return allowed_ == count;
}

void worker_pool::wake(std::size_t index) {
  if (index < allowed_) workers_[index]->wake.notify_one();
}

std::uint64_t worker_pool::progress_of(const job& work) const {
  std::uint64_t progress = work.finished;
  for (std::size_t i = 0; i < allowed_; ++i) progress += workers_[i]->current.progress();
  return progress;
}

void worker_pool::serve(worker& self) {
  const signal_stack stack;
  thread_stop_answer = &self.stopped;
  std::uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    self.wake.wait(lock, [&] { return job_ != nullptr && generation_ != seen && self.index < allowed_; });
    seen = generation_;
    ++busy_;
    if (job_->has_more()) {
      wake(2 * self.index + 1);
      wake(2 * self.index + 2);
      run_blocks(self, *job_, lock);
    }
    if (--busy_ == 0) idle_.notify_all();
  }
}

}  // namespace simt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/worker_pool.hpp"

#include <algorithm>
#include <system_error>
#include <thread>

namespace simt {

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
  allowed_ = std::min(count, workers_.size());
  wake_.notify_all();
  return allowed_ == count;
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
    wake_.wait(lock, [&] { return job_ != nullptr && generation_ != seen && self.index < allowed_; });
    seen = generation_;
    ++busy_;
    run_blocks(self, *job_, lock);
    --busy_;
    idle_.notify_all();
  }
}

}  // namespace simt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that is handed over in the order of asking. Another thread may unlock it than has locked it.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace simt {

class fifo_lock {
 public:
  void lock() {
    std::unique_lock<std::mutex> guard(mutex_);
    if (!locked_) {
      locked_ = true;
      return;
    }
    waiter self;
    queue_.push_back(&self);
    self.woken.wait(guard, [&self] { return self.owns; });
  }

  bool try_lock() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return !std::exchange(locked_, true);
  }

  void unlock() {
    const std::lock_guard<std::mutex> guard(mutex_);
    locked_ = !queue_.empty();
    if (!locked_) return;
    queue_.front()->owns = true;
    queue_.front()->woken.notify_one();
    queue_.pop_front();
  }

 private:
  struct waiter {
    std::condition_variable woken;
    bool owns = false;
  };

  std::mutex mutex_;
  bool locked_ = false;
  std::deque<waiter*> queue_;
};

}  // namespace simt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who runs: of the blocks that are watched one at a time, whichever thread it is on. In the order of asking.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

namespace simt::check {

class turn {
 public:
  static turn& of_all() {
    static turn* const only = new turn;
    return *only;
  }

  void take() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!taken_) {
      taken_ = true;
      return;
    }
    waiting asks;
    queue_.push_back(&asks);
    asks.may_go.wait(lock, [&asks] { return asks.goes; });
  }

  void pass_on() {
    const std::lock_guard<std::mutex> lock(mutex_);
    taken_ = !queue_.empty();
    if (!taken_) return;
    queue_.front()->goes = true;
    queue_.front()->may_go.notify_one();
    queue_.pop_front();
  }

 private:
  struct waiting {
    std::condition_variable may_go;
    bool goes = false;
  };

  std::mutex mutex_;
  bool taken_ = false;
  std::deque<waiting*> queue_;
};

}  // namespace simt::check

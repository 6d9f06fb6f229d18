// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that is handed over in the order of asking. Another thread may unlock it than has locked it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

namespace simt {

class fifo_lock {
 public:
  void lock() {
    std::unique_lock<std::mutex> guard(mutex_);
    ++arrivals_;
    if (!std::exchange(locked_, true)) return;
    arrived_.notify_all();
    wait_in_queue(guard, [] {});
  }

  bool try_lock() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return !std::exchange(locked_, true);
  }

  void unlock() {
    const std::lock_guard<std::mutex> guard(mutex_);
    hand_over();
  }

  /// Lets all others that wait have the lock first; false where there are none. They cannot come back before the caller
  /// has its place behind them.
  bool pass() {
    std::unique_lock<std::mutex> guard(mutex_);
    if (queue_.empty()) return false;
    wait_in_queue(guard, [this] { hand_over(); });
    return true;
  }

  /// So many times lock() has been called.
  std::uint64_t arrivals() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return arrivals_;
  }

  /// Waits, with the lock, until lock() has been called more often.
  void wait_for_arrival(std::uint64_t arrivals) {
    std::unique_lock<std::mutex> guard(mutex_);
    arrived_.wait(guard, [&] { return arrivals_ > arrivals; });
  }

 private:
  struct waiter {
    std::condition_variable woken;
    bool owns = false;
  };

  void hand_over() {
    locked_ = !queue_.empty();
    if (!locked_) return;
    queue_.front()->owns = true;
    queue_.front()->woken.notify_one();
    queue_.pop_front();
  }

  template <class Action>
  void wait_in_queue(std::unique_lock<std::mutex>& guard, Action when_queued) {
    waiter self;
    queue_.push_back(&self);
    when_queued();
    self.woken.wait(guard, [&self] { return self.owns; });
  }

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::uint64_t arrivals_ = 0;
  bool locked_ = false;
  std::deque<waiter*> queue_;
};

}  // namespace simt

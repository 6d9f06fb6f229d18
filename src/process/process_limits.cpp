// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/process_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "system/memory_limit.hpp"
#include "system/processes.hpp"

namespace warpz {
namespace {

// Looking takes longer where there are many threads. The pause that follows is this many times as long, so that looking
// costs little.
constexpr int pause_per_look = 20;
constexpr std::chrono::milliseconds min_pause{50};
constexpr std::chrono::milliseconds max_pause{500};

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Looked up no more often than a run's first look: it takes a lock of the whole machine's, and runs that follow one
/// another by the thousand, in many processes, wait for it.
std::uint64_t recent_shared_memory() {
  thread_local std::uint64_t bytes = 0;
  thread_local std::chrono::steady_clock::time_point known_until;
  if (const auto now = std::chrono::steady_clock::now(); now >= known_until) {
    bytes = os::used_shared_memory();
    known_until = now + min_pause;
  }
  return bytes;
}

}  // namespace

limit_monitor::limit_monitor(const process_limits& limits, std::vector<pid_t> others, std::uint64_t held_bytes)
    : limits_(limits),
      others_(std::move(others)),
      held_bytes_(held_bytes),
      shared_before_(recent_shared_memory()),
      max_memory_(limits.memory_bytes),
      next_look_(clock::now() + min_pause) {}

std::string limit_monitor::exceeded(std::uint64_t printed_bytes) {
  if (printed_bytes > limits_.output_bytes) {
    return fmt::format("printed more than {} MiB", limits_.output_bytes / mebibyte);
  }
  const auto now = clock::now();
  if (now < next_look_) return {};
  const std::vector<pid_t> all = os::descendants(others_);
  const std::size_t threads = os::threads_of_each(all);
  const std::uint64_t memory = os::memory_of_each(all, shared_before_);
  // Only now: reading the limit takes longer than most runs.
  if (max_memory_ == 0) {
    const std::uint64_t taken = os::memory_of(all, shared_before_);
    const std::uint64_t free_before = os::read_memory_limit().available + taken - std::min(taken, held_bytes_);
    max_memory_ = free_before / 10 * 9 + held_bytes_;
  }
  const auto done = clock::now();
  next_look_ = done + std::clamp<clock::duration>(pause_per_look * (done - now), min_pause, max_pause);
  if (all.size() > max_processes) return fmt::format("started more than {} processes at once", max_processes);
  if (threads > max_threads) return fmt::format("started more than {} threads at once", max_threads);
  if (memory > max_memory_ && os::memory_of(all, shared_before_) > max_memory_) {
    return fmt::format("took more than {} MiB of memory", max_memory_ / mebibyte);
  }
  return {};
}

}  // namespace warpz

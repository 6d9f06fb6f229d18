// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/process_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "system/memory_limit.hpp"
#include "system/processes.hpp"

namespace warpz {
namespace {

/// A look takes longer where there are many threads: then it is taken less often, as it should cost little.
constexpr std::chrono::milliseconds between_looks{50};
constexpr std::chrono::milliseconds max_between_looks{500};
constexpr int cheap = 20;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

}  // namespace

limit_monitor::limit_monitor(const process_limits& limits, std::vector<pid_t> kept, std::uint64_t held_bytes)
    : limits_(limits),
      kept_(std::move(kept)),
      held_bytes_(held_bytes),
      max_memory_(limits.memory_bytes),
      next_look_(clock::now() + between_looks) {}

std::string limit_monitor::passed(std::uint64_t printed_bytes) {
  if (printed_bytes > limits_.output_bytes) {
    return fmt::format("printed more than {} MiB", limits_.output_bytes / mebibyte);
  }
  const auto now = clock::now();
  if (now < next_look_) return {};
  const std::vector<pid_t> all = os::descendants(kept_);
  const std::uint64_t memory = os::memory_of_each(all);
  // Not before: most runs have ended by now, in less time than it takes to ask for the limit.
  if (max_memory_ == 0) {
    const std::uint64_t taken = os::memory_of(all);
    const std::uint64_t free_before = os::read_memory_limit().available + taken - std::min(taken, held_bytes_);
    max_memory_ = free_before / 10 * 9 + held_bytes_;
  }
  const auto done = clock::now();
  next_look_ = done + std::clamp<clock::duration>(cheap * (done - now), between_looks, max_between_looks);
  if (all.size() > max_processes) return fmt::format("started more than {} processes at once", max_processes);
  if (memory > max_memory_ && os::memory_of(all) > max_memory_) {
    return fmt::format("took more than {} MiB of memory", max_memory_ / mebibyte);
  }
  return {};
}

}  // namespace warpz

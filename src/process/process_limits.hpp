// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits for a child process and all that it starts.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace warpz {

struct process_limits {
  std::uint64_t memory_bytes = 0;  ///< 0: nine tenths of what is free when it begins
  std::uint64_t output_bytes = std::uint64_t{1} << 30;
  bool operator==(const process_limits&) const = default;
};

/// At the same time.
inline constexpr std::size_t max_processes = 1000;
/// A thread takes memory of the system that counts for no process, and a place among its user's processes.
inline constexpr std::size_t max_threads = 4000;

class limit_monitor {
 public:
  /// Monitors all processes below this one, except `others` and those below them. `held_bytes`: memory that they hold
  /// already, and which is not free.
  limit_monitor(const process_limits& limits, std::vector<pid_t> others, std::uint64_t held_bytes = 0);

  /// What was exceeded: "took more than 512 MiB of memory"; empty if nothing was. It may be called often, and looks at
  /// the processes only from time to time.
  std::string exceeded(std::uint64_t printed_bytes);

 private:
  using clock = std::chrono::steady_clock;

  const process_limits limits_;
  const std::vector<pid_t> others_;
  const std::uint64_t held_bytes_;
  const std::uint64_t shared_before_;  ///< bytes in /dev/shm
  std::uint64_t max_memory_;           ///< 0: not known yet
  clock::time_point next_look_;
};

}  // namespace warpz

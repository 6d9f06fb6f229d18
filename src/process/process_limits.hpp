// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a child process and all that it starts may use of the machine.
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

/// At the same time, however many there were before.
inline constexpr std::size_t max_processes = 1000;
/// A thread takes memory of the system that counts as nobody's, and a place among the processes of its user.
inline constexpr std::size_t max_threads = 4000;

class limit_monitor {
 public:
  /// Monitors all processes below this one but `others` and theirs. They may hold `held_bytes` already, which do not
  /// count as free.
  limit_monitor(const process_limits& limits, std::vector<pid_t> others, std::uint64_t held_bytes = 0);

  /// The limit that is exceeded, as in "took more than 512 MiB of memory"; empty if none is. It may be called often:
  /// it looks at the processes from time to time.
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

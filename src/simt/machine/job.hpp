// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch while its blocks run, and the time that it takes.
#pragma once

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "simt/machine/faults.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/schedule.hpp"

namespace simt {

/// One launch: the blocks that are still to start, and how many have ended.
struct job {
  job(const launch_request& asked, unsigned lanes, const warpz_perturbation& perturbation)
      : request(asked),
        warp_size(lanes),
        block_count(std::uint64_t{asked.grid.x} * asked.grid.y * asked.grid.z),
        order(perturbation, asked.grid, asked.number) {}

  const launch_request request;
  const unsigned warp_size;
  const std::uint64_t block_count;
  const block_order order;
  /// Behind what each block reads: all workers change it.
  alignas(64) std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> finished{0};
  std::atomic<bool> is_abandoned{false};  ///< a block has found a divergence

  bool has_more() const { return next < block_count; }

  bool is_over() const { return finished == block_count || is_abandoned; }

  index3 index_of(std::uint64_t linear) const {
    const std::uint64_t x = request.grid.x, y = request.grid.y;
    return {static_cast<unsigned>(linear % x), static_cast<unsigned>(linear / x % y),
            static_cast<unsigned>(linear / x / y)};
  }
};

/// Seconds of a launch: of processor time, so that a limit does not depend on what else the computer does. What does
/// not compute, such as code that sleeps, has a share of the time that passes. While a process is stopped, none passes.
struct launch_clock {
  double since_begin = 0;
  double since_progress = 0;
  double since_end = 0;  ///< since a block has ended, or one more has begun because none had ended

  void advance() {
    constexpr double max_tick = 0.1;
    const auto now = std::chrono::steady_clock::now();
    const double used = processor_seconds(), passed = std::chrono::duration<double>(now - last_).count();
    const double tick = std::min({max_tick, passed, std::max(used - last_used_, passed / warpz_time_of_idle)});
    last_ = now;
    last_used_ = used;
    since_begin += tick;
    since_progress += tick;
    since_end += tick;
  }

 private:
  static double processor_seconds() {
    timespec used{};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return 0;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
  }

  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double last_used_ = processor_seconds();
};

/// From then on whoever waits for a launch wants to know where it is.
constexpr double long_launch_seconds = 1.5;

/// Asks a worker that is in a block what it executes: another one each time, which `count` counts. Not where there is
/// no limit: a debugger would stop at the signals.
template <class Workers>
void sample_next(const Workers& workers, std::size_t& count) {
  const warpz_settings& settings = current_settings();
  if (current_sink().sampled == nullptr || (settings.timeout_seconds == 0 && settings.time_limit_seconds == 0)) return;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const auto& next = *workers[++count % workers.size()];
    if (next.in_block) return sample_thread(next.thread);
  }
}

}  // namespace simt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "system/usable_cores.hpp"

namespace simt {
namespace {

using namespace std::chrono_literals;

using milliseconds = std::chrono::duration<double, std::milli>;

/// A launch that is over by then has one worker.
constexpr auto time_of_first_worker = 1ms;
/// What it takes to set up another one, which all of them spend in the system's lock of the address space.
constexpr milliseconds set_up_time{0.4};

/// How many workers end soonest what is left of a launch, which one has worked on for so long.
std::size_t useful_workers(const job& work, milliseconds spent) {
  const std::uint64_t finished = work.finished;
  if (finished == 0) return work.block_count;
  const milliseconds left = spent * static_cast<double>(work.block_count - finished) / static_cast<double>(finished);
  return 1 + static_cast<std::size_t>(std::sqrt(left / set_up_time));
}

/// For tests: WARPZ_TEST_TRIALS=WORKERS,MICROSECONDS,TELLS. So many workers, each of which waits at the end of a block
/// for up to so long; with 0 there are no trials. Where TELLS is 1, standard error says how each trial has ended.
struct test_settings {
  int workers = -1;
  unsigned delay = 0;
  unsigned tells = 0;

  test_settings() {
    const char* const text = std::getenv("WARPZ_TEST_TRIALS");
    if (text != nullptr && std::sscanf(text, "%d,%u,%u", &workers, &delay, &tells) < 1) workers = -1;
  }
};

const test_settings& for_tests() {
  static const test_settings only;
  return only;
}

std::size_t workers_for(const job& work) {
  const launch_request& request = work.request;
  const std::size_t lanes = std::size_t{request.block.x} * request.block.y * request.block.z;
  const unsigned asked = current_settings().workers;
  const int tested = for_tests().workers;
  const std::size_t wanted = tested > 0 ? static_cast<unsigned>(tested) : asked != 0 ? asked : os::usable_cores();
  // A launch in the fixed order may need as many stacks again.
  return std::min<std::uint64_t>({wanted, work.block_count, std::max<std::size_t>(max_lanes_alive / 2 / lanes, 1)});
}

/// Whether all that is asked of the launch is its findings, its digest and what it leaves in memory. What other work of
/// a program may race with is known of launches in the fixed order alone.
bool is_plain(const launch_request& request, const warpz_settings& settings) {
  const bool is_recorded = settings.recording.record != nullptr || settings.costs != nullptr ||
                           settings.perturbation.comparison > WARPZ_COMPARE_DIGEST ||
                           settings.perturbation.asks_writer != 0 || settings.perturbation.decisions != nullptr;
  // One worker is what a debugger wants.
  return !is_recorded && !request.cooperative && (request.work == nullptr || request.work->is_sequential) &&
         settings.workers != 1 && for_tests().workers != 0;
}

}  // namespace

bool launch_trial::run(const launch_request& request, unsigned warp_size, launch_observer& observer) {
  const warpz_settings& settings = current_settings();
  if (!is_plain(request, settings) || failed_.count(request.entry) != 0) return false;
  trial_end end = trial_end::unclear;
  unsigned trials = 0;
  for (; end == trial_end::unclear; ++trials) {
    job work(request, warp_size, settings.perturbation);
    const std::size_t workers = workers_for(work);
    if (work.block_count < 2 || !observer.begin_trial(request, workers)) return false;
    const bool have_all_run = run_all(work, workers);
    end = observer.end_trial(have_all_run);
  }
  const bool is_clean = end == trial_end::clean;
  if (for_tests().tells != 0) {
    std::fprintf(stderr, "trial of %s: %s%s\n", request.name, is_clean ? "clean" : "failed",
                 trials > 1 ? ", repeated" : "");
  }
  if (is_clean) return true;
  failed_.insert(request.entry);
  for (const std::unique_ptr<worker>& each : workers_) each->current.release();
  return false;
}

bool launch_trial::run_all(job& work, std::size_t workers) {
  std::unique_lock<std::mutex> lock(mutex_);
  trial_has_failed = false;
  // Tests want them all at once.
  begin(work, for_tests().workers > 0 ? workers : 1);
  if (allowed_ == 0) {
    job_ = nullptr;
    return false;
  }
  const auto is_over = [&] { return has_ended(work); };
  const auto begin = std::chrono::steady_clock::now();
  if (!idle_.wait_for(lock, time_of_first_worker, is_over)) {
    allow(std::min(workers, useful_workers(work, std::chrono::steady_clock::now() - begin)));
    supervise(work, lock);
  }
  job_ = nullptr;
  return !trial_has_failed;
}

void launch_trial::run_blocks(worker& self, job& work, std::unique_lock<std::mutex>& lock) {
  const std::size_t allowed = allowed_;
  lock.unlock();
  run_blocks(self, work, allowed);
  lock.lock();
}

void launch_trial::run_blocks(worker& self, job& work, std::size_t allowed) {
  if (!self.current.configure(work.request, work.warp_size, trial_has_failed, true)) trial_has_failed = true;
  std::uint64_t random = self.index;
  // Neighbors mostly access neighboring memory: cores that share its pages wait for each other.
  const std::uint64_t row = std::clamp<std::uint64_t>(work.block_count / (32 * allowed), 1, 32);
  for (std::uint64_t linear = 0, end = 0;; ++linear) {
    if (linear == end) {
      linear = work.next.fetch_add(row, std::memory_order_relaxed);
      end = std::min(linear + row, work.block_count);
    }
    if (linear >= work.block_count || trial_has_failed.load(std::memory_order_relaxed)) return;
    self.in_block.store(true, std::memory_order_relaxed);
    const std::uint64_t number = work.order.at(linear);
    self.current.run(work.index_of(number), number);
    self.in_block.store(false, std::memory_order_relaxed);
    if (for_tests().delay != 0)
      std::this_thread::sleep_for(std::chrono::microseconds(next_random(random) % for_tests().delay));
    work.finished.fetch_add(1, std::memory_order_release);
  }
}

bool launch_trial::has_ended(const job& work) const {
  return busy_ == 0 && (work.finished == work.block_count || trial_has_failed);
}

/// Waits for the end of the trial. A block of one may wait for ever where it would not in the fixed order: for another
/// one, or for what it has read while another one wrote it.
void launch_trial::supervise(job& work, std::unique_lock<std::mutex>& lock) {
  constexpr double max_patience = 2.5, grace = 0.5;
  const warpz_settings& settings = current_settings();
  const double patience =
      settings.timeout_seconds > 0 ? std::min(max_patience, settings.timeout_seconds / 4) : max_patience;
  launch_clock passed;
  std::uint64_t finished_before = 0, progress_before = 0;
  while (!idle_.wait_for(lock, 10ms, [&] { return has_ended(work); })) {
    const std::uint64_t finished = work.finished;
    if (std::uint64_t* const progress = current_sink().progress)
      __atomic_store_n(progress, *progress + finished - std::exchange(finished_before, finished) + 1, __ATOMIC_RELAXED);
    passed.advance();
    if (trial_has_failed) {
      if (passed.since_end > grace) part_with_stuck_workers();
      continue;
    }
    passed.since_end = 0;
    if (const std::uint64_t progress = progress_of(work); std::exchange(progress_before, progress) != progress)
      passed.since_progress = 0;
    if (passed.since_begin > long_launch_seconds) sample_next(workers_, sampled_);
    const bool takes_too_long = settings.time_limit_seconds > 0 && passed.since_begin > settings.time_limit_seconds / 2;
    if (passed.since_progress > patience || takes_too_long) trial_has_failed = true;
  }
}

/// A worker that is still in its block when all should have left theirs waits in a loop that does nothing. Its thread
/// stops for good.
void launch_trial::part_with_stuck_workers() {
  for (std::size_t i = 0; i < allowed_; ++i) {
    worker& each = *workers_[i];
    if (!each.in_block || !stop_thread(each.thread, each.stopped)) continue;
    static_cast<void>(workers_[i].release());
    workers_[i] = std::make_unique<worker>();
    --busy_;
  }
  const auto is_without_thread = [](const auto& each) { return each->thread == pthread_t{}; };
  workers_.erase(std::remove_if(workers_.begin(), workers_.end(), is_without_thread), workers_.end());
  for (std::size_t i = 0; i < workers_.size(); ++i) workers_[i]->index = i;
  allowed_ = std::min(allowed_, workers_.size());
}

}  // namespace simt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/machine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "simt/machine/observer.hpp"
#include "simt/machine/trial.hpp"
#include "simt/machine/worker_pool.hpp"
#include "system/usable_cores.hpp"

namespace simt {
namespace {

/// Runs launches, one at a time. The thread that launches supervises the workers: a block that waits for another
/// block keeps its worker, and a further worker takes its place.
class machine final : worker_pool {
 public:
  static machine& instance() {
    // Never destroyed: workers may still wait in it while the process ends.
    static machine* const only = new machine;
    return *only;
  }

  warpz_settings settings = warpz_default_settings;

  launch_pause between_launches() {
    if (is_under_way_) {
      launch_pause pause(observed_block());
      if (is_under_way_) return pause;
    }
    return launch_pause(launching_);
  }

  launch_pause try_between_launches() {
    if (is_under_way_) {
      launch_pause pause(observed_block());
      if (is_under_way_) return pause;
    }
    return launch_pause(launching_, std::try_to_lock);
  }

  bool is_launch_under_way() const { return is_under_way_; }

  /// One more than now, if a block waits for which there is none.
  bool begin_another_block() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (job_ == nullptr || !job_->has_more() || room_used_up_ || allowed_ == max_workers) return false;
    if (allowed_ >= base_ + waiting_blocks()) return false;
    allow_or_note(allowed_ + 1);
    return !room_used_up_;
  }

  void wait_for_launch() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return !is_under_way_; });
  }

  bool run(const launch_request& request) {
    launch_pause one_launch(launching_);
    install_fault_handlers();
    launch_request kept = request;
    kept.caller_stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const auto shared = std::make_shared<job>(kept, static_cast<unsigned>(current_warp_size), settings.perturbation);
    job& work = *shared;
    steps_are_recorded = settings.recording.record != nullptr || settings.costs != nullptr;
    const std::uint64_t cores = os::usable_cores();
    launch_observer* const observer = settings.check == WARPZ_CHECK_ALL ? registered_launch_observer : nullptr;
    if (observer != nullptr) observer->begin_launch(request, work.warp_size);
    report_stage(WARPZ_KERNEL_RUNNING);
    if (observer != nullptr && trial_.run(kept, work.warp_size, *observer)) {
      report_stage(WARPZ_PREPARING);
      observer->end_launch(request, work.warp_size);
      return true;
    }
    // Blocks have an order only where they run one at a time.
    base_ = settings.check == WARPZ_CHECK_ALL || settings.perturbation.schedule != 0 ||
                    settings.perturbation.decisions != nullptr
                ? 1
                : std::min(settings.workers != 0 ? settings.workers : cores, work.block_count);
    std::unique_lock<std::mutex> lock(mutex_);
    take_turns_ = observer != nullptr;
    refused_ = 0;
    room_used_up_ = !begin(work, base_);
    if (!supervise(work, lock, request.arguments_owner != nullptr)) {
      lock.unlock();
      let_host_go_on(shared, observer);
      one_launch.release();
      return true;
    }
    end(work, observer);
    return work.is_over();
  }

 private:
  void end(job& work, launch_observer* observer) {
    job_ = nullptr;
    report_stage(WARPZ_PREPARING);
    if (work.is_abandoned) abandon(observer);
    if (observer != nullptr) observer->end_launch(work.request, work.warp_size);
  }

  /// The launch goes on under another thread, which then lets others begin.
  void let_host_go_on(const std::shared_ptr<job>& work, launch_observer* observer) {
    is_under_way_ = true;
    report_stage(WARPZ_PREPARING);
    const auto go_on = [this, work, observer] {
      std::unique_lock<std::mutex> lock(mutex_);
      supervise(*work, lock, false);
      lock.unlock();
      const launch_pause pause(observed_block());
      lock.lock();
      end(*work, observer);
      is_under_way_ = false;
      lock.unlock();
      launching_.unlock();
      idle_.notify_all();
    };
    try {
      std::thread(go_on).detach();
    } catch (const std::system_error&) {
      go_on();
    }
  }

  /// The program goes on with possibly invalid results and may not end, so the rest of it gets one --timeout.
  void abandon(launch_observer* observer) {
    if (observer != nullptr) observer->abandon_launch();
    if (std::uint32_t* const count = current_sink().abandoned_launches) ++*count;
    if (std::exchange(is_limited_, true)) return;
    const std::chrono::duration<double> rest(settings.timeout_seconds > 0 ? settings.timeout_seconds : 10);
    try {
      std::thread([rest] {
        std::this_thread::sleep_for(rest);
        stop_kernel();
      }).detach();
    } catch (const std::system_error&) {
      stop_kernel();
    }
  }

  /// Allows so many workers in a launch, or as many as there is room for.
  void allow_or_note(std::size_t count) {
    if (!allow(count)) room_used_up_ = true;
  }

  void run_blocks(worker& self, job& work, std::unique_lock<std::mutex>& lock) override {
    lock.unlock();
    // From here on, also while it looks for the next block: which worker runs which block is then a matter of steps.
    if (take_turns_) observed_block().lock();
    const bool had_room = run_blocks(self, work);
    if (take_turns_) observed_block().unlock();
    lock.lock();
    if (!had_room) {
      room_used_up_ = true;
      ++refused_;
    }
    // The next launch should not pay for the memory of extra workers that waiting blocks needed.
    if (self.index >= base_) self.current.release();
  }

  /// So many neighboring blocks a worker takes at once: they often access neighboring memory, and what all workers
  /// count is counted less often. Not where a block may wait for another one.
  std::uint64_t blocks_in_a_row(const job& work) const {
    constexpr std::uint64_t most = 16, parts_of_worker = 32;
    if (!work.request.as_loops || work.request.loops->yields != 0) return 1;
    return std::clamp<std::uint64_t>(work.block_count / (parts_of_worker * base_), 1, most);
  }

  /// False where there is no memory for this worker's lanes.
  bool run_blocks(worker& self, job& work) {
    if (!self.current.configure(work.request, work.warp_size, work.is_abandoned)) return false;
    const std::uint64_t in_a_row = blocks_in_a_row(work);
    for (bool is_first = true;; is_first = false) {
      const std::uint64_t first = work.next.fetch_add(in_a_row, std::memory_order_relaxed);
      if (first >= work.block_count) return true;
      // Those that wait look again.
      if (take_turns_ && !is_first) observed_block().pass();
      const std::uint64_t end = std::min(first + in_a_row, work.block_count);
      for (std::uint64_t i = first; i < end; ++i) {
        if (work.is_abandoned.load(std::memory_order_relaxed)) return true;
        self.in_block.store(true, std::memory_order_relaxed);
        const std::uint64_t number = work.order.at(i);
        self.current.run(work.index_of(number), number);
        self.in_block.store(false, std::memory_order_relaxed);
      }
      work.finished.fetch_add(end - first, std::memory_order_release);
    }
  }

  /// False where the blocks wait for the host, which `may_go_on`.
  bool supervise(const job& work, std::unique_lock<std::mutex>& lock, bool may_go_on) {
    using namespace std::chrono_literals;
    launch_clock passed;
    std::uint64_t finished_before = 0, progress_before = 0;
    for (;;) {
      const bool ended =
          idle_.wait_for(lock, 10ms, [&] { return busy_ == 0 && (work.is_over() || refused_ == allowed_); });
      const std::uint64_t finished = work.finished;
      if (std::uint64_t* const progress = current_sink().progress) {
        __atomic_store_n(progress, *progress + finished - finished_before + 1, __ATOMIC_RELAXED);
      }
      if (ended) return true;
      passed.advance();
      if (const std::uint64_t progress = progress_of(work); std::exchange(progress_before, progress) != progress) {
        passed.since_progress = 0;
      }
      if (passed.since_begin > long_launch_seconds) sample_next(workers_, sampled_);
      if (settings.time_limit_seconds > 0 && passed.since_begin > settings.time_limit_seconds) give_up(limit::time);
      if (settings.timeout_seconds > 0 && passed.since_progress > settings.timeout_seconds) give_up(limit::progress);
      if (std::exchange(finished_before, finished) != finished) {
        passed.since_end = 0;
      } else if (work.next < work.block_count && allowed_ < max_workers && !room_used_up_) {
        begin_more_blocks(passed);
      } else if (may_go_on && passed.since_progress > patience_with_host && waits_for_host(work)) {
        return false;
      }
    }
  }

  /// Whether no block can go on by itself.
  bool waits_for_host(const job& work) const {
    const std::uint64_t begun = std::min(work.next.load(), work.block_count);
    const std::size_t waiting = waiting_blocks();
    return waiting != 0 && begun == work.block_count && waiting == begun - work.finished;
  }

  /// No block has ended lately. A block that waits may wait for one that has not begun, and its core is free. A block
  /// that computes would only lose time to another one; but it may also wait without a scheduling point.
  void begin_more_blocks(launch_clock& passed) {
    const double patience = settings.timeout_seconds > 0 ? settings.timeout_seconds / 2 : 5;
    const std::size_t wanted = base_ + waiting_blocks();
    if (wanted > allowed_ && !take_turns_) {
      passed.since_progress = 0;
      allow_or_note(std::min({max_workers, 2 * allowed_, wanted}));
    } else if (passed.since_end > patience) {
      passed.since_end = 0;
      allow_or_note(allowed_ + 1);
    }
  }

  std::size_t waiting_blocks() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < allowed_; ++i) {
      if (workers_[i]->in_block && workers_[i]->current.waits()) ++count;
    }
    return count;
  }

  enum class limit { progress, time };

  [[noreturn]] void give_up(limit exceeded) {
    worker* shown = nullptr;
    worker* fallback = nullptr;
    execution none;
    const execution* at = &none;
    std::size_t alive = 0;
    const std::size_t waiting = waiting_blocks();
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      worker& each = *workers_[i];
      if (!each.in_block) continue;
      ++alive;
      if (fallback == nullptr) fallback = &each;
      // A finding shows one executing lane; the other lanes of its block are suspended.
      if (shown == nullptr && stop_thread(each.thread, each.stopped)) {
        shown = &each;
        at = &each.stopped.at;
      }
    }
    if (shown == nullptr) shown = fallback != nullptr ? fallback : workers_.front().get();
    if (at->self != nullptr) shown->current.settle(*at->self);
    const block& current = shown->current;
    if (exceeded == limit::time) report_time_limit(current, *at, settings.time_limit_seconds);
    const bool has_no_room = room_used_up_ || allowed_ == max_workers;
    if (has_no_room && waiting == alive) report_too_many_waiting(current, *at, alive);
    report_no_progress(current, *at, settings.timeout_seconds);
  }

  static constexpr std::size_t max_workers = max_blocks_alive;
  static constexpr double patience_with_host = 0.05;

  fifo_lock launching_;
  std::atomic<bool> is_under_way_{false};  ///< a launch that has outlasted its call; it holds launching_
  std::size_t base_ = 0;                   ///< workers of an ordinary launch
  bool take_turns_ = false;                ///< its blocks run one at a time, in an order of steps
  std::size_t refused_ = 0;                ///< workers of this launch that had no room for their lanes
  bool room_used_up_ = false;
  launch_trial trial_;
  bool is_limited_ = false;  ///< the rest of the program, since a launch was abandoned
};

}  // namespace

warpz_settings& current_settings() { return machine::instance().settings; }

void set_warp_size(unsigned warp_size) { current_warp_size = static_cast<int>(warp_size); }

launch_pause between_launches() { return machine::instance().between_launches(); }

bool begin_another_block() { return machine::instance().begin_another_block(); }

bool is_launch_under_way() { return machine::instance().is_launch_under_way(); }

void wait_for_launch() { machine::instance().wait_for_launch(); }

launch_pause try_between_launches() { return machine::instance().try_between_launches(); }

bool launch(const launch_request& request) {
  launch_request chosen = request;
  chosen.as_loops = runs_as_loops(request);
  return machine::instance().run(chosen);
}

}  // namespace simt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/late_work.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <list>
#include <mutex>
#include <thread>
#include <utility>

#include "simt/hip/stream_order.hpp"
#include "simt/machine/findings.hpp"
#include "simt/machine/machine.hpp"

namespace simt {
namespace {

struct late_task {
  stream_task task;
  hipStream_t stream;
  std::optional<ordered_work> order;
};

struct late_queue {
  std::mutex mutex;
  std::condition_variable is_done;
  std::list<late_task> tasks;          ///< the one that runs, too
  bool is_stuck = false;               ///< all tasks are behind waits for values
  std::atomic<bool> is_served{false};  ///< a thread works on them

  bool is_behind_earlier(std::list<late_task>::iterator task) {
    return std::any_of(tasks.begin(), task, [&](const late_task& earlier) {
      return !earlier.order || !task->order || task->order->before.covers(earlier.order->id);
    });
  }

  /// The first task that can run now.
  std::list<late_task>::iterator next() {
    for (auto each = tasks.begin(); each != tasks.end(); ++each) {
      const auto* const wait = std::get_if<value_wait>(&each->task);
      if ((wait == nullptr || is_met(*wait)) && !is_behind_earlier(each)) return each;
    }
    return tasks.end();
  }

  /// What comes behind a wait comes behind what it has waited for.
  void pass_on(const ordered_work& wait) {
    for (late_task& each : tasks) {
      if (each.order && each.order->before.covers(wait.id)) each.order->before.join(wait.before);
    }
  }

  /// The first wait that nothing but a value could end.
  const value_wait* unmet_wait() const {
    for (const late_task& each : tasks) {
      if (const auto* const wait = std::get_if<value_wait>(&each.task)) return wait;
    }
    return nullptr;
  }
};

late_queue& late_tasks() {
  // Never destroyed: the thread may still wait in it while the process ends.
  static auto* const only = new late_queue;
  return *only;
}

thread_local bool is_late_thread = false;

void run(late_queue& queue, late_task& task) {
  current_work = task.order ? &*task.order : nullptr;
  // Its call has told the program what validate() says.
  static_cast<void>(run(task.task, task.stream));
  current_work = nullptr;
  const std::lock_guard<std::mutex> lock(queue.mutex);
  if (task.order && std::holds_alternative<value_wait>(task.task)) queue.pass_on(*task.order);
}

void serve_late_tasks() {
  // Whoever writes the value need not tell.
  constexpr std::chrono::milliseconds between_looks(1);
  late_queue& queue = late_tasks();
  is_late_thread = true;
  for (;;) {
    wait_for_launch();
    std::unique_lock<std::mutex> lock(queue.mutex);
    if (queue.tasks.empty()) {
      queue.is_served = false;
      queue.is_done.notify_all();
      return;
    }
    const auto next = queue.next();
    queue.is_stuck = next == queue.tasks.end();
    if (queue.is_stuck) {
      queue.is_done.wait_for(lock, between_looks);
      continue;
    }
    lock.unlock();
    run(queue, *next);
    lock.lock();
    if (next->order) note_late_end(next->order->id);
    queue.tasks.erase(next);
    queue.is_done.notify_all();
  }
}

/// Waits until the function, which is called under the queue's lock, says that all is done. Where only values could end
/// that, and nobody writes them for --timeout, the program ends.
template <class Condition>
void wait_until(Condition is_done) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds between_looks(10);
  wait_for_launch();
  late_queue& queue = late_tasks();
  std::unique_lock<std::mutex> lock(queue.mutex);
  const double patience = current_settings().timeout_seconds;
  for (auto begin = clock::now(); !is_done(queue);) {
    queue.is_done.wait_for(lock, between_looks);
    if (!queue.is_stuck || is_launch_under_way()) begin = clock::now();
    if (patience <= 0 || std::chrono::duration<double>(clock::now() - begin).count() < patience) continue;
    if (const value_wait* const wait = queue.unmet_wait()) report_endless_wait(*wait->call, patience);
  }
}

}  // namespace

std::optional<hipError_t> keep_for_later(const stream_task& task, hipStream_t stream) {
  const auto* const wait = std::get_if<value_wait>(&task);
  const bool has_to_wait = wait != nullptr && !is_met(*wait);
  if ((!has_to_wait && !is_launch_under_way() && !has_late_work()) || is_late_thread) return {};
  // The order of a graph's nodes is made as they run.
  if (std::holds_alternative<child_graph>(task)) return {};
  if (!has_to_wait && !std::holds_alternative<kernel_launch>(task) && !is_under_way(stream)) return {};
  if (const hipError_t code = validate(task)) return code;
  late_queue& queue = late_tasks();
  const std::lock_guard<std::mutex> lock(queue.mutex);
  queue.tasks.push_back({task, stream, next_work(stream, true)});
  queue.is_done.notify_all();
  if (queue.is_served.exchange(true)) return hipSuccess;
  static const bool is_waited_for_at_exit = std::atexit(wait_for_late_work) == 0;
  static_cast<void>(is_waited_for_at_exit);
  std::thread(serve_late_tasks).detach();
  return hipSuccess;
}

bool has_late_work() { return late_tasks().is_served; }

void wait_for_late_work() {
  wait_until([](const late_queue& queue) { return !queue.is_served; });
}

void wait_for_late_work(const work_clock& end) {
  wait_until([&](const late_queue& queue) {
    return std::none_of(queue.tasks.begin(), queue.tasks.end(),
                        [&](const late_task& each) { return !each.order || end.covers(each.order->id); });
  });
}

bool does_late_work() { return is_late_thread; }

}  // namespace simt

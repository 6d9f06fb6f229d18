// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/late_work.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "simt/hip/stream_order.hpp"
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
  std::deque<late_task> tasks;
  std::atomic<bool> is_served{false};  ///< a thread works on them
};

late_queue& late_tasks() {
  // Never destroyed: the thread may still wait in it while the process ends.
  static auto* const only = new late_queue;
  return *only;
}

thread_local bool is_late_thread = false;

void serve_late_tasks() {
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
    late_task next = std::move(queue.tasks.front());
    queue.tasks.pop_front();
    lock.unlock();
    current_work = next.order ? &*next.order : nullptr;
    // Its call has told the program what validate() says.
    static_cast<void>(run(next.task, next.stream));
    current_work = nullptr;
  }
}

}  // namespace

std::optional<hipError_t> keep_for_later(const stream_task& task, hipStream_t stream) {
  if ((!is_launch_under_way() && !has_late_work()) || is_late_thread) return {};
  // The order of a graph's nodes is made as they run.
  if (std::holds_alternative<child_graph>(task)) return {};
  if (!std::holds_alternative<kernel_launch>(task) && !is_under_way(stream)) return {};
  if (const hipError_t code = validate(task)) return code;
  late_queue& queue = late_tasks();
  const std::lock_guard<std::mutex> lock(queue.mutex);
  queue.tasks.push_back({task, stream, next_work(stream, true)});
  if (queue.is_served.exchange(true)) return hipSuccess;
  static const bool is_waited_for_at_exit = std::atexit(wait_for_late_work) == 0;
  static_cast<void>(is_waited_for_at_exit);
  std::thread(serve_late_tasks).detach();
  return hipSuccess;
}

bool has_late_work() { return late_tasks().is_served; }

void wait_for_late_work() {
  wait_for_launch();
  late_queue& queue = late_tasks();
  std::unique_lock<std::mutex> lock(queue.mutex);
  queue.is_done.wait(lock, [&] { return !queue.is_served; });
}

bool does_late_work() { return is_late_thread; }

}  // namespace simt

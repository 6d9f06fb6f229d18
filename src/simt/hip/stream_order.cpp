// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/stream_order.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <tuple>
#include <vector>

#include "simt/hip/allocations.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/graph.hpp"
#include "simt/hip/late_work.hpp"
#include "simt/hip/streams.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/observer.hpp"

/// Instrumented code of the host asks for it before each access (src/instrument/host_accesses.cpp): how much memory it
/// must not access at will; 0: it has waited for all work.
extern "C" {
SIMT_API std::atomic<std::uintptr_t> simt_watched_bytes{0};
}

namespace simt {
namespace {

/// Its number among the program's threads.
unsigned number_of_thread() {
  static std::atomic<unsigned> threads{0};
  thread_local const unsigned number = ++threads;
  return number;
}

/// A stream by its handle; the built-in ones also by their device, and by their thread where each has its own.
using stream_key = std::tuple<hipStream_t, int, unsigned>;

stream_key key_of(hipStream_t stream) {
  if (is_null_stream(stream)) return {nullptr, current_device(), 0};
  if (stream == hipStreamPerThread) return {stream, current_device(), number_of_thread()};
  return {stream, 0, 0};
}

struct stream_line {
  std::uint32_t timeline = 0;
  work_clock clock;  ///< all that the stream has been given
};

/// The streams of a device.
struct device_line {
  work_clock null_stream;  ///< what blocking streams wait for
  work_clock blocking;     ///< what the null stream waits for: all that blocking streams have been given
  work_clock all;
};

/// Where simt_watched_bytes begin.
std::atomic<std::uintptr_t> watched_begin{0};

class order_of_streams {
 public:
  static order_of_streams& instance() {
    // Never destroyed: static objects of the program may use streams late.
    static auto* const only = new order_of_streams;
    return *only;
  }

  std::mutex mutex;

  work_clock host;
  /// A piece of work at the end of the stream.
  ordered_work add(hipStream_t stream) {
    stream_line& line = line_of(stream);
    ordered_work added{{line.timeline, ++last_[line.timeline]}, before(stream)};
    has_other_orders_ = has_other_orders_ || device_of(stream) != 0;
    added.is_sequential = is_null_stream(stream) && !has_other_orders_;
    line.clock = added.before;
    line.clock.join(added.id);
    note_given(stream, line.clock);
    return added;
  }

  /// What the stream's next work waits for.
  work_clock before(hipStream_t stream) {
    work_clock clock = line_of(stream).clock;
    clock.join(host);
    device_line& device = devices_[device_of(stream)];
    if (is_null_stream(stream)) clock.join(device.blocking);
    if (is_blocking(stream)) clock.join(device.null_stream);
    return clock;
  }

  /// All that the stream has been given ends with this clock.
  void note_given(hipStream_t stream, const work_clock& clock) {
    device_line& device = devices_[device_of(stream)];
    line_of(stream).clock.join(clock);
    if (is_null_stream(stream)) device.null_stream.join(clock);
    if (is_blocking(stream)) device.blocking.join(clock);
    device.all.join(clock);
    given_.join(clock);
    work_given.fetch_add(1, std::memory_order_relaxed);
    watch();
  }

  void wait_on_host(const work_clock& clock) {
    host.join(clock);
    watch();
    if (memory_observer* const observer = host_memory_observer()) observer->note_waited(host);
  }

  const work_clock& of_device(int device) { return devices_[device].all; }
  work_clock& of_event(hipEvent_t event) { return events_[event]; }
  void forget(hipEvent_t event) { events_.erase(event); }

  void join(hipStream_t stream, const work_clock& clock) { line_of(stream).clock.join(clock); }

  void forget(hipStream_t stream) {
    const auto found = streams_.find(key_of(stream));
    if (found == streams_.end()) return;
    free_.push_back(found->second.timeline);
    streams_.erase(found);
  }

  /// A timeline whose work has ended before.
  std::uint32_t free_timeline(const work_clock& ended) {
    for (std::uint32_t& each : free_) {
      if (!ended.covers({each, last_[each]})) continue;
      std::swap(each, free_.back());
      const std::uint32_t taken = free_.back();
      free_.pop_back();
      return taken;
    }
    last_.push_back(0);
    return static_cast<std::uint32_t>(last_.size() - 1);
  }
  void give_back(std::uint32_t timeline) { free_.push_back(timeline); }
  work_id next(std::uint32_t timeline) { return {timeline, ++last_[timeline]}; }

  void note_under_way(work_id launch) { under_way_.push_back(launch); }
  void note_late(work_id work) { late_.push_back(work); }
  void note_late_end(work_id work) { late_.erase(std::remove(late_.begin(), late_.end(), work), late_.end()); }

  /// Whether work that has outlasted its call, and may still run, ends before this.
  bool is_late(const work_clock& clock) {
    const auto covers_any = [&](const std::vector<work_id>& all) {
      return std::any_of(all.begin(), all.end(), [&](work_id each) { return clock.covers(each); });
    };
    if (!is_launch_under_way()) under_way_.clear();
    return covers_any(under_way_) || covers_any(late_);
  }

  void note_value(const void* memory, const ordered_work& writer) {
    work_clock& end = values_[memory];
    end.join(writer.before);
    end.join(writer.id);
  }
  const work_clock& of_value(const void* memory) { return values_[memory]; }

  /// What has this work behind it has that, too.
  void put_behind(work_id work, const work_clock& end) {
    const auto add = [&](work_clock& clock) {
      if (clock.covers(work)) clock.join(end);
    };
    add(host);
    add(given_);
    for (auto& [key, line] : streams_) add(line.clock);
    for (auto& [event, clock] : events_) add(clock);
    for (auto& [memory, clock] : values_) add(clock);
    for (auto& [number, device] : devices_) {
      add(device.null_stream);
      add(device.blocking);
      add(device.all);
    }
  }

  std::uint32_t next_graph() { return ++graphs_; }

  void note_other_orders() { has_other_orders_ = true; }

  void note_memory(std::uintptr_t begin, std::size_t bytes) {
    if (memory_end_ == 0 || begin < memory_begin_) memory_begin_ = begin;
    memory_end_ = std::max(memory_end_, begin + bytes);
  }

 private:
  static bool is_blocking(hipStream_t stream) { return (flags_of(stream) & hipStreamNonBlocking) == 0; }

  stream_line& line_of(hipStream_t stream) {
    const auto [found, is_new] = streams_.try_emplace(key_of(stream));
    if (is_new) found->second.timeline = free_timeline(host);
    return found->second;
  }

  void watch() {
    const bool waits = is_order_checked() && !host.covers(given_);
    watched_begin.store(memory_begin_, std::memory_order_relaxed);
    simt_watched_bytes.store(waits ? memory_end_ - memory_begin_ : 0, std::memory_order_relaxed);
  }

  std::map<stream_key, stream_line> streams_;
  std::map<int, device_line> devices_;
  std::map<hipEvent_t, work_clock> events_;
  std::vector<std::uint32_t> last_;  ///< of each timeline
  std::vector<std::uint32_t> free_;  ///< timelines of streams that are gone
  work_clock given_;
  std::vector<work_id> under_way_;            ///< launches that have outlasted their calls, since none had
  std::vector<work_id> late_;                 ///< work that is kept for later
  std::map<const void*, work_clock> values_;  ///< what has written them
  std::uint32_t graphs_ = 0;
  bool has_other_orders_ = false;  ///< there may be work that the null stream neither waits for nor is waited for by
  std::uintptr_t memory_begin_ = 0, memory_end_ = 0;
};

using guard = std::lock_guard<std::mutex>;

/// A whole program runs, and not a kernel of it.
bool is_followed() { return current_settings().perturbation.continue_block_numbers != 0 && this_lane == nullptr; }

/// What the function of the host that runs as work has waited for; null: none runs.
thread_local const work_clock* clock_of_call = nullptr;

}  // namespace

namespace {

/// Waits for late work that the stream's next work comes behind.
void let_end(hipStream_t stream) {
  if (!is_under_way(stream)) return;
  if (!is_followed()) return wait_for_late_work();
  auto& all = order_of_streams::instance();
  std::unique_lock<std::mutex> lock(all.mutex);
  const work_clock before = all.before(stream);
  lock.unlock();
  wait_for_late_work(before);
}

}  // namespace

bool is_order_checked() { return host_memory_observer() != nullptr && current_settings().async != WARPZ_ASYNC_OFF; }

stream_work::stream_work(hipStream_t stream) {
  if (current_work != nullptr) return;
  let_end(stream);
  work_ = next_work(stream, false);
  if (work_) current_work = &*work_;
}

stream_work::~stream_work() {
  if (work_) current_work = nullptr;
}

graph_work::graph_work(hipStream_t stream) : stream_(stream), outer_(current_work) {
  if (outer_ == nullptr) let_end(stream);
  if (!is_followed()) return;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  begin_ = outer_ != nullptr ? outer_->before : all.before(stream);
  node_.graph = all.next_graph();
}

graph_work::~graph_work() {
  if (!is_followed()) return;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  work_clock end = begin_;
  for (const auto& [node, each] : done_) {
    end.join(each.end);
    if (!each.is_continued && each.last.number != 0) all.give_back(each.last.timeline);
  }
  outer_ != nullptr ? outer_->before.join(end) : all.note_given(stream_, end);
}

void graph_work::begin_node(const graph_node& node) {
  wait_for_launch();
  if (!is_followed()) return;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  node_.before = begin_;
  branch* continued = nullptr;
  for (const graph_node* const each : node.dependencies) {
    branch& before = done_[each];
    node_.before.join(before.end);
    if (!before.is_continued && before.last.number != 0) continued = &before;
  }
  if (const auto* const wait = std::get_if<event_wait>(&node.task)) node_.before.join(all.of_event(wait->event));
  if (continued != nullptr) continued->is_continued = true;
  node_.id = all.next(continued != nullptr ? continued->last.timeline : all.free_timeline(begin_));
  current_work = &node_;
}

void graph_work::end_node(const graph_node& node) {
  if (!is_followed()) return;
  branch& done = done_[&node];
  done.end = node_.before;
  done.end.join(node_.id);
  done.last = node_.id;
  current_work = outer_;
}

host_call::host_call() : outer_(clock_of_call) {
  if (current_work == nullptr) return;
  clock_of_call = &current_work->before;
  // How it tells the rest of the program that it runs is unknown; it may start a thread.
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.wait_on_host(current_work->before);
}

host_call::~host_call() { clock_of_call = outer_; }

namespace {

/// Waits for all that the clock of the function says.
template <class Clock>
void wait_for(Clock clock_of) {
  if (this_lane != nullptr || does_late_work()) return;
  if (!is_followed()) return wait_for_late_work();
  auto& all = order_of_streams::instance();
  std::unique_lock<std::mutex> lock(all.mutex);
  const work_clock clock = clock_of(all);
  if (all.is_late(clock)) {
    lock.unlock();
    wait_for_late_work(clock);
    lock.lock();
    // A wait for a value may have added to it.
    return all.wait_on_host(clock_of(all));
  }
  all.wait_on_host(clock);
}

}  // namespace

void wait_on_host(hipStream_t stream) {
  wait_for([stream](order_of_streams& all) { return all.before(stream); });
}

void wait_on_host(hipEvent_t event) {
  wait_for([event](order_of_streams& all) { return all.of_event(event); });
}

void wait_on_host_for_device() {
  wait_for([](order_of_streams& all) { return all.of_device(current_device()); });
}

void note_under_way() {
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  if (current_work != nullptr) all.note_under_way(current_work->id);
}

void note_late_end(work_id work) {
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.note_late_end(work);
}

void note_value_written(const void* memory) {
  if (current_work == nullptr) return;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.note_value(memory, *current_work);
}

void note_value_seen(const void* memory, std::size_t bytes) {
  if (current_work == nullptr) return;
  work_clock writers;
  if (memory_observer* const observer = host_memory_observer()) {
    writers = observer->seen_by_host(reinterpret_cast<std::uintptr_t>(memory), bytes);
  }
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  writers.join(all.of_value(memory));
  // The host may have written it.
  writers.join(all.host);
  current_work->before.join(writers);
  all.put_behind(current_work->id, writers);
}

std::optional<ordered_work> next_work(hipStream_t stream, bool is_late) {
  if (!is_followed()) return {};
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  ordered_work next = all.add(stream);
  if (is_late) all.note_late(next.id);
  return next;
}

namespace {

template <class Clock>
bool is_behind_late_work(Clock clock_of) {
  if ((!is_launch_under_way() && !has_late_work()) || does_late_work()) return false;
  if (!is_followed()) return true;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  return all.is_late(clock_of(all));
}

}  // namespace

bool is_under_way(hipStream_t stream) {
  return is_behind_late_work([stream](order_of_streams& all) { return all.before(stream); });
}

bool is_under_way(hipEvent_t event) {
  return is_behind_late_work([event](order_of_streams& all) { return all.of_event(event); });
}

hipError_t wait_after(hipError_t code, hipStream_t stream) {
  if (code == hipSuccess) wait_on_host(stream);
  return code;
}

hipError_t wait_within_device(hipError_t code, hipStream_t stream) {
  return current_settings().rules != WARPZ_RULES_NVIDIA ? wait_after(code, stream) : code;
}

void wait_for_pageable(const void* target, hipStream_t stream) {
  if (is_followed() && !allocations::instance().find(target)) wait_on_host(stream);
}

void note_record(hipEvent_t event, hipStream_t stream) {
  if (!is_followed()) return;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.of_event(event) = current_work != nullptr ? current_work->before : all.before(stream);
}

void note_wait(hipStream_t stream, hipEvent_t event) {
  if (!is_followed()) return;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.join(stream, all.of_event(event));
}

void forget_order(hipStream_t stream) {
  if (!is_followed()) return;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.forget(stream);
}

void forget_order(hipEvent_t event) {
  if (!is_followed()) return;
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.forget(event);
}

void note_other_orders() {
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.note_other_orders();
}

void note_memory_of_both(const void* begin, std::size_t bytes) {
  auto& all = order_of_streams::instance();
  const guard lock(all.mutex);
  all.note_memory(reinterpret_cast<std::uintptr_t>(begin), bytes);
}

void note_work(const row_range& bytes, bool is_written, work_kind kind) {
  memory_observer* const observer = host_memory_observer();
  if (!is_order_checked() || current_work == nullptr || bytes.rows == 0) return;
  if (allocations::instance().find(reinterpret_cast<const void*>(bytes.begin)))
    observer->access_by_work(bytes, is_written, kind);
}

}  // namespace simt

/// A program has been loaded that may create streams which the null stream does not wait for.
extern "C" SIMT_API void simt_uses_streams() { simt::note_other_orders(); }

/// Instrumented code of the host is about to access memory that work may still use. `kind`: 1 writes, 2 by an atomic or
/// a volatile access.
extern "C" SIMT_API void simt_host_access(const void* at, std::uint64_t bytes, std::uint32_t kind) {
  simt::memory_observer* const observer = simt::host_memory_observer();
  if (observer == nullptr || !simt::is_followed()) return;
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const std::uintptr_t distance = address - simt::watched_begin.load(std::memory_order_relaxed);
  if (distance >= simt_watched_bytes.load(std::memory_order_relaxed)) return;
  if (observer->is_free_for_host(address, bytes)) return;
  auto& all = simt::order_of_streams::instance();
  simt::work_clock host;
  {
    const simt::guard lock(all.mutex);
    host = all.host;
  }
  if (simt::clock_of_call != nullptr) host.join(*simt::clock_of_call);
  // What was told once is no news from then on.
  const simt::work_clock waited = (kind & 2) == 0 ? observer->access_from_host(address, bytes, (kind & 1) != 0, host)
                                                  : observer->seen_by_host(address, bytes);
  if (host.covers(waited)) return;
  const simt::guard lock(all.mutex);
  all.wait_on_host(waited);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "simt/check/async_races.hpp"
#include "simt/check/fills.hpp"
#include "simt/check/launch_digest.hpp"
#include "simt/check/mapped_memory.hpp"
#include "simt/check/reports.hpp"
#include "simt/check/shadow.hpp"
#include "simt/machine/findings.hpp"
#include "simt/machine/observer.hpp"

namespace simt::check {
namespace {

/// Address space on either side of a buffer. An int as an index of 4 bytes does not lead beyond it, and an unsigned one
/// below 0 is not near another buffer: 2^32 elements are no multiple of what a buffer takes. Where there are many
/// buffers, or an address space with a limit, each has the smaller one.
constexpr std::size_t wide_guard_bytes = std::size_t{9} << 30, guard_bytes = std::size_t{1} << 30;
constexpr std::size_t max_wide = 32;
/// Freed memory is kept up to this size, so that later accesses to it are found.
constexpr std::size_t max_freed_bytes = std::size_t{256} << 20;

std::size_t in_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

void unmap(const region& memory) {
  munmap(reinterpret_cast<void*>(memory.span_begin), memory.span_end - memory.span_begin);
}

/// Address space for a buffer and a guard on either side; MAP_FAILED: there is none.
void* reserve(std::size_t room, std::size_t guard) {
  return mmap(nullptr, room + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/// One finding for all buffers that were allocated at one place.
void report_leak(const std::vector<const region*>& buffers) {
  std::uint64_t bytes = 0;
  for (const region* const each : buffers) bytes += each->bytes;
  host_finding found{WARPZ_LEAK, buffers.front(), bytes, static_cast<std::uint32_t>(buffers.size() - 1)};
  found.has_call = false;
  publish_of_host(found);
}

class checked_heap final : public memory_observer {
 public:
  void* allocate(std::size_t bytes, bool host_can_write) override;
  void free(void* begin) override;
  void plan(void* begin) override;
  bool allocate_planned(void* begin) override;
  void free_planned(void* begin) override;
  void create_memory(const void* handle, std::size_t bytes) override {
    const launch_pause no_launch = between_launches();
    mapped_.create(handle, bytes);
  }
  void release_memory(const void* handle) override {
    const launch_pause no_launch = between_launches();
    mapped_.release(handle);
  }
  void change_addresses(void* begin, std::size_t bytes, address_state state, bool is_unset) override {
    const launch_pause no_launch = between_launches();
    mapped_.change(reinterpret_cast<std::uintptr_t>(begin), bytes, state, is_unset);
  }
  void fail_to_free(void* pointer) override;
  void write_from_host(const void* begin, std::size_t bytes) override;
  void read_from_host(const void* begin, std::size_t bytes) override;
  bool may_vary(const void* begin, std::size_t bytes) override {
    const launch_pause no_launch = between_launches();
    return launch_digest::may_vary(begin, bytes);
  }
  void vary_input() override { ++launch_digest::current().inputs; }
  void fault_launch(const char* kernel, const char* rule) override {
    const launch_pause no_launch = between_launches();
    publish_of_launch(kernel, rule);
  }

  std::uint32_t fault_ignored(const char* kernel, const char* rule, const void* memory,
                              bool is_invalid_launch) override {
    const launch_pause no_launch = between_launches();
    return publish_ignored_error(is_invalid_launch ? WARPZ_INVALID_LAUNCH : WARPZ_UNCHECKED_ERROR, kernel, rule,
                                 region_of(memory, 0));
  }
  void withdraw(std::uint32_t number, bool is_withdrawn) override {
    const launch_pause no_launch = between_launches();
    if (number != no_record) set_withdrawn(number, is_withdrawn);
  }

  void access_by_work(const row_range& bytes, bool is_written, work_kind kind) override;
  void note_waited(const work_clock& host) override;
  bool is_free_for_host(std::uintptr_t address, std::size_t bytes) override;
  work_clock access_from_host(std::uintptr_t address, std::size_t bytes, bool is_written,
                              const work_clock& host) override;
  work_clock seen_by_host(std::uintptr_t address, std::size_t bytes) override;

  /// At the end of the program.
  void note_host_memory() const;
  void report_leaks() const;

 private:
  void add(const region& memory);
  region* region_of(const void* begin, std::size_t bytes) const;
  region* set_aside(std::uintptr_t begin);
  void unmap_oldest_freed();

  const pid_t process_ = getpid();
  std::map<std::uintptr_t, region*> alive_;
  std::map<std::uintptr_t, region*> freed_;
  std::deque<std::uintptr_t> freed_order_;
  mapped_memory mapped_;
  std::size_t freed_bytes_ = 0;
};

void* checked_heap::allocate(std::size_t bytes, bool host_can_write) {
  const launch_pause no_launch = between_launches();
  if (bytes > SIZE_MAX / 64) return nullptr;
  const std::size_t room = in_pages(bytes);
  std::size_t guard = alive_.size() + freed_.size() < max_wide ? wide_guard_bytes : guard_bytes;
  void* reserved = reserve(room, guard);
  if (reserved == MAP_FAILED) reserved = reserve(room, guard = guard_bytes);
  if (reserved == MAP_FAILED) return nullptr;
  region memory{};
  memory.begin = reinterpret_cast<std::uintptr_t>(reserved) + guard;
  memory.bytes = bytes;
  memory.span_begin = memory.begin - guard;
  memory.span_end = memory.begin + room + guard;
  memory.kind = WARPZ_MEMORY_ALLOCATION;
  memory.writable = true;
  memory.initialised = host_can_write;
  memory.of_host = host_can_write;
  void* const begin = reinterpret_cast<void*>(memory.begin);
  if (mprotect(begin, room, PROT_READ | PROT_WRITE) != 0 || !make_shadow(memory)) {
    drop_shadow(memory);
    unmap(memory);
    return nullptr;
  }
  memory.history = new allocation_history;
  capture_caller(memory.history->allocated);
  add(memory);
  return begin;
}

void checked_heap::add(const region& memory) {
  // So that a program does not find there what it had written before.
  if (!memory.of_host)
    fill_unwritten(reinterpret_cast<void*>(memory.begin), memory.bytes, current_settings().perturbation.fill);
  alive_[memory.begin] = region_table::add_common(memory);
  past_work::instance().forget_memory(memory.begin, memory.bytes);
}

void checked_heap::free(void* begin) {
  const launch_pause no_launch = between_launches();
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (region* const gone = set_aside(address)) capture_caller(gone->history->freed);
  const auto found = freed_.find(address);
  if (found == freed_.end()) return;
  freed_order_.push_back(address);
  freed_bytes_ += found->second->bytes;
  unmap_oldest_freed();
}

/// Memory that is allocated counts as freed from now on. Null: none is.
region* checked_heap::set_aside(std::uintptr_t begin) {
  const auto found = alive_.find(begin);
  if (found == alive_.end()) return nullptr;
  region* const gone = found->second;
  if (gone->of_host) launch_digest::note_copied(reinterpret_cast<void*>(begin), gone->bytes);
  gone->is_freed = true;
  freed_.insert(*found);
  alive_.erase(found);
  return gone;
}

void checked_heap::plan(void* begin) {
  const launch_pause no_launch = between_launches();
  if (region* const planned = set_aside(reinterpret_cast<std::uintptr_t>(begin)))
    planned->absence = "a lane accesses memory of a graph that has not allocated it yet";
}

void checked_heap::free_planned(void* begin) {
  const launch_pause no_launch = between_launches();
  region* const gone = set_aside(reinterpret_cast<std::uintptr_t>(begin));
  if (gone != nullptr) capture_caller(gone->history->freed);
}

bool checked_heap::allocate_planned(void* begin) {
  const launch_pause no_launch = between_launches();
  const auto found = freed_.find(reinterpret_cast<std::uintptr_t>(begin));
  if (found == freed_.end()) return false;
  const region* const planned = found->second;
  region memory{};
  memory.begin = planned->begin;
  memory.bytes = planned->bytes;
  memory.span_begin = planned->span_begin;
  memory.span_end = planned->span_end;
  memory.kind = planned->kind;
  memory.writable = true;
  memory.history = planned->history;
  if (!make_shadow(memory)) {
    drop_shadow(memory);
    return false;
  }
  memory.history->freed.count = 0;
  freed_.erase(found);
  region_table::remove_common(planned);
  add(memory);
  return true;
}

void checked_heap::unmap_oldest_freed() {
  while (freed_bytes_ > max_freed_bytes && !freed_order_.empty()) {
    const auto found = freed_.find(freed_order_.front());
    freed_order_.pop_front();
    const region* const gone = found->second;
    freed_bytes_ -= gone->bytes;
    unmap(*gone);
    delete gone->history;
    region_table::remove_common(gone);
    freed_.erase(found);
  }
}

void checked_heap::fail_to_free(void* pointer) {
  const launch_pause no_launch = between_launches();
  const auto found = freed_.find(reinterpret_cast<std::uintptr_t>(pointer));
  // Memory of a graph that has not run yet was not freed.
  if (found != freed_.end() && found->second->history->freed.count != 0)
    publish_of_host({WARPZ_DOUBLE_FREE, found->second, found->second->bytes});
}

region* checked_heap::region_of(const void* begin, std::size_t bytes) const {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const auto after = alive_.upper_bound(address);
  if (after == alive_.begin()) return nullptr;
  region* const memory = std::prev(after)->second;
  return memory->holds(address, bytes) ? memory : nullptr;
}

void checked_heap::write_from_host(const void* begin, std::size_t bytes) {
  const launch_pause no_launch = between_launches();
  if (region* const memory = region_of(begin, bytes))
    return mark_host_write(*memory, reinterpret_cast<std::uintptr_t>(begin) - memory->begin, bytes);
  mapped_.for_each_part(reinterpret_cast<std::uintptr_t>(begin), bytes, mark_host_write);
}

void checked_heap::read_from_host(const void* begin, std::size_t bytes) {
  // Less may be the padding of a struct, or an element that the host leaves out.
  constexpr std::size_t worth_telling = 16;
  const launch_pause no_launch = between_launches();
  launch_digest::note_copied(begin, bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const region* memory = region_of(begin, bytes);
  unwritten_bytes unwritten{};
  if (memory != nullptr) unwritten = find_unwritten(*memory, address - memory->begin, bytes);
  mapped_.for_each_part(address, bytes, [&](region& part, std::size_t offset, std::size_t part_bytes) {
    const unwritten_bytes found = find_unwritten(part, offset, part_bytes);
    if (found.count != 0 && memory == nullptr) memory = &part;
    unwritten.count += found.count;
    unwritten.longest = std::max(unwritten.longest, found.longest);
  });
  if (unwritten.count == 0) return;
  launch_digest::note_unwritten(unwritten.count);
  if (unwritten.longest < worth_telling && current_settings().perturbation.fill == 0) return;
  char text[128];
  std::snprintf(text, sizeof text, "%zu byte%s that nobody has written %s copied to the host", unwritten.count,
                unwritten.count == 1 ? "" : "s", unwritten.count == 1 ? "is" : "are");
  publish_of_host({WARPZ_UNINITIALISED_READ, memory, memory->bytes, 0, WARPZ_WARNING, text});
}

void checked_heap::access_by_work(const row_range& bytes, bool is_written, work_kind kind) {
  const launch_pause no_launch = between_launches();
  check_work(bytes, is_written, kind);
}

void checked_heap::note_waited(const work_clock& host) {
  const launch_pause no_launch = try_between_launches();
  if (no_launch.owns_lock()) past_work::instance().forget(host);
}

bool checked_heap::is_free_for_host(std::uintptr_t address, std::size_t bytes) {
  return check::is_free_for_host(address, bytes);
}

work_clock checked_heap::access_from_host(std::uintptr_t address, std::size_t bytes, bool is_written,
                                          const work_clock& host) {
  return check_host(address, bytes, is_written, host);
}

work_clock checked_heap::seen_by_host(std::uintptr_t address, std::size_t bytes) {
  return check::seen_by_host(address, bytes);
}

void checked_heap::note_host_memory() const {
  for (const auto& [begin, each] : alive_) {
    if (each->of_host) launch_digest::note_copied(reinterpret_cast<const void*>(begin), each->bytes);
  }
}

void checked_heap::report_leaks() const {
  // A process that the user program has forked ends with a heap of its own.
  if (getpid() != process_) return;
  std::map<std::vector<std::uint64_t>, std::vector<const region*>> by_place;
  const auto add = [&](const region& leaked) {
    const call_stack& allocated = leaked.history->allocated;
    by_place[{allocated.frames, allocated.frames + allocated.count}].push_back(&leaked);
  };
  for (const auto& [begin, each] : alive_) add(*each);
  mapped_.for_each_unreleased(add);
  for (const auto& [place, buffers] : by_place) report_leak(buffers);
}

}  // namespace
}  // namespace simt::check

namespace simt {

void check_allocations() {
  if (current_settings().check != WARPZ_CHECK_ALL) return;
  // Never destroyed: static objects of the user program free their memory late.
  static auto* const heap = new check::checked_heap;
  registered_memory_observer = heap;
  std::atexit([] {
    wait_for_launch();
    heap->note_host_memory();
    heap->report_leaks();
  });
}

}  // namespace simt

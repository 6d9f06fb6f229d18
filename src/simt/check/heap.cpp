// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "simt/check/reports.hpp"
#include "simt/check/shadow.hpp"
#include "simt/machine/findings.hpp"
#include "simt/machine/machine.hpp"

namespace simt::check {
namespace {

/// Of addresses on either side of a buffer: an index gone wrong hardly leads past them.
constexpr std::size_t guard_bytes = std::size_t{1} << 30;
/// So many bytes of what was given back are kept.
constexpr std::size_t max_kept = std::size_t{256} << 20;

struct heap {
  bool watched = false;
  pid_t process = 0;
  std::map<std::uintptr_t, region*> alive;
  std::map<std::uintptr_t, region*> released;
  std::deque<std::uintptr_t> order;  ///< of the released ones
  std::size_t kept = 0;
};

heap& all() {
  // Never destroyed: static objects of the program give back their memory late.
  static auto* const only = new heap;
  return *only;
}

std::size_t in_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

void unmap(std::uintptr_t begin, std::size_t bytes) {
  munmap(reinterpret_cast<void*>(begin - guard_bytes), in_pages(bytes) + 2 * guard_bytes);
}

void note_caller(call_place& into) {
  execution here;
  capture_stack(here, 0);
  into.count = std::min<unsigned>(here.frame_count, WARPZ_HISTORY_FRAMES);
  std::copy_n(here.frames, into.count, into.frames);
}

void forget_oldest() {
  heap& of = all();
  while (of.kept > max_kept && !of.order.empty()) {
    const auto found = of.released.find(of.order.front());
    of.order.pop_front();
    const region* const gone = found->second;
    of.kept -= gone->bytes;
    unmap(gone->begin, gone->bytes);
    delete gone->past;
    region_table::remove_common(gone);
    of.released.erase(found);
  }
}

/// One finding for all buffers made at one place.
void tell_leaks() {
  heap& of = all();
  // A process that the program has forked has its own copy of the heap, and ends, too.
  if (getpid() != of.process) return;
  std::map<std::vector<std::uint64_t>, std::vector<const region*>> by_place;
  for (const auto& [begin, each] : of.alive) {
    const call_place& made = each->past->made;
    by_place[{made.frames, made.frames + made.count}].push_back(each);
  }
  for (const auto& [place, some] : by_place) {
    std::uint64_t bytes = 0;
    for (const region* const each : some) bytes += each->bytes;
    char text[128];
    const char* const plural = bytes == 1 ? "" : "s";
    if (some.size() == 1) {
      std::snprintf(text, sizeof text, "%llu byte%s %s never freed", static_cast<unsigned long long>(bytes),
                    plural, bytes == 1 ? "is" : "are");
    } else {
      std::snprintf(text, sizeof text, "%llu byte%s in %zu buffers are never freed",
                    static_cast<unsigned long long>(bytes), plural, some.size());
    }
    tell_of_host(WARPZ_LEAK, *some.front(), text);
  }
}

}  // namespace

void watch_heap() {
  heap& of = all();
  of.watched = true;
  of.process = getpid();
  std::atexit(tell_leaks);
}

bool is_heap_watched() { return all().watched && this_lane == nullptr; }

void* allocate(std::size_t bytes, bool host_can_write) {
  const std::unique_lock<std::mutex> no_launch = between_launches();
  if (bytes > SIZE_MAX / 64) return nullptr;
  const std::size_t room = in_pages(bytes);
  void* const reserved =
      mmap(nullptr, room + 2 * guard_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return nullptr;
  region made{};
  made.begin = reinterpret_cast<std::uintptr_t>(reserved) + guard_bytes;
  made.bytes = bytes;
  made.span_begin = made.begin - guard_bytes;
  made.span_end = made.begin + room + guard_bytes;
  made.kind = WARPZ_MEMORY_ALLOCATION;
  made.writable = true;
  made.initialised = host_can_write;
  void* const begin = reinterpret_cast<void*>(made.begin);
  if (mprotect(begin, room, PROT_READ | PROT_WRITE) != 0 || !make_cells(made)) {
    drop_cells(made);
    unmap(made.begin, bytes);
    return nullptr;
  }
  made.past = new history;
  note_caller(made.past->made);
  all().alive[made.begin] = region_table::add_common(made);
  return begin;
}

void release(void* begin) {
  const std::unique_lock<std::mutex> no_launch = between_launches();
  heap& of = all();
  const auto found = of.alive.find(reinterpret_cast<std::uintptr_t>(begin));
  if (found == of.alive.end()) return;
  region* const gone = found->second;
  gone->is_released = true;
  note_caller(gone->past->released);
  of.released.insert(*found);
  of.order.push_back(found->first);
  of.kept += gone->bytes;
  of.alive.erase(found);
  forget_oldest();
}

void note_unknown_release(void* pointer) {
  const std::unique_lock<std::mutex> no_launch = between_launches();
  const auto found = all().released.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (found != all().released.end()) tell_of_host(WARPZ_DOUBLE_FREE, *found->second, "");
}

void note_host_write(const void* begin, std::size_t bytes) {
  if (!is_heap_watched()) return;
  const std::unique_lock<std::mutex> no_launch = between_launches();
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const auto after = all().alive.upper_bound(address);
  if (after == all().alive.begin()) return;
  region& into = *std::prev(after)->second;
  if (into.holds(address, bytes)) mark_host_write(into, address - into.begin, bytes);
}

}  // namespace simt::check

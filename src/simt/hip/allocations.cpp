// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "simt/hip/devices.hpp"
#include "simt/machine/observer.hpp"
#include "system/memory_limit.hpp"

namespace simt {
namespace {

constexpr std::size_t alignment = 256;

// For what the process needs beside its buffers, such as the lanes' stacks.
constexpr std::size_t kept_free = std::size_t{64} << 20;

// Reading the system's figures takes longer than a small allocation, which can do little harm.
constexpr std::size_t worth_asking = std::size_t{1} << 20;

bool can_host_write(memory_kind kind) { return kind == memory_kind::managed || kind == memory_kind::host; }

thread_local bool is_planned_memory_known = false;

bool is_owned(memory_kind kind) { return kind != memory_kind::registered && kind != memory_kind::symbol; }

}  // namespace

std::uint64_t available_memory() { return os::read_memory_limit().available; }

planned_memory_is_known::planned_memory_is_known() : outer_(std::exchange(is_planned_memory_known, true)) {}
planned_memory_is_known::~planned_memory_is_known() { is_planned_memory_known = outer_; }

allocations& allocations::instance() {
  // Never destroyed: a static object of the user program may free its device memory after that.
  static allocations* const only = new allocations;
  return *only;
}

std::size_t allocations::grantable() {
  // Memory that was granted and not written yet still counts as available to the system.
  const std::uint64_t available = system_available_();
  const std::size_t now = available - std::min<std::uint64_t>(available, kept_free);
  if (budget_ == 0) budget_ = now;
  return std::min(now, budget_ - std::min(budget_, granted_));
}

bool allocations::can_grant(std::size_t bytes) {
  const bool is_worth_asking = budget_ == 0 || bytes >= worth_asking || granted_ + bytes > budget_;
  return !is_worth_asking || bytes <= grantable();
}

hipError_t allocations::allocate(void** pointer, std::size_t bytes, memory_kind kind, unsigned flags) {
  if (bytes == 0) {
    *pointer = nullptr;
    return hipSuccess;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!can_grant(bytes)) return hipErrorOutOfMemory;
  memory_observer* const observer = host_memory_observer();
  void* memory = observer != nullptr ? observer->allocate(bytes, can_host_write(kind)) : nullptr;
  const bool observed = memory != nullptr;
  if (!observed && posix_memalign(&memory, alignment, bytes) != 0) return hipErrorOutOfMemory;
  char* const begin = static_cast<char*>(memory);
  known_.emplace(begin, allocation{begin, bytes, kind, current_device(), flags, observed});
  granted_ += bytes;
  *pointer = memory;
  return hipSuccess;
}

hipError_t allocations::plan(void** pointer, std::size_t bytes, int device) {
  if (const hipError_t code = allocate(pointer, bytes, memory_kind::device, 0)) return code;
  const std::lock_guard<std::mutex> lock(mutex_);
  allocation& planned = known_.at(static_cast<char*>(*pointer));
  planned.device = device;
  planned.is_planned = planned.is_kept = true;
  planned.is_there = false;
  if (planned.observed) registered_memory_observer->plan(*pointer);
  return hipSuccess;
}

bool allocations::allocate_planned(void* pointer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = known_.find(static_cast<char*>(pointer));
  if (found == known_.end() || found->second.is_there) return false;
  if (found->second.observed && !registered_memory_observer->allocate_planned(pointer)) return false;
  return found->second.is_there = true;
}

void allocations::give_up(void* pointer) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = known_.find(static_cast<char*>(pointer));
  if (found == known_.end() || !found->second.is_kept) return;
  found->second.is_kept = false;
  if (!found->second.is_there) drop(found);
}

bool allocations::note(void* pointer, std::size_t bytes, memory_kind kind, unsigned flags) {
  char* const begin = static_cast<char*>(pointer);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto after = known_.lower_bound(begin);
  if (after != known_.end() && after->first < begin + bytes) return false;
  if (after != known_.begin()) {
    const allocation& before = std::prev(after)->second;
    if (before.begin + before.bytes > begin) return false;
  }
  known_.emplace_hint(after, begin, allocation{begin, bytes, kind, current_device(), flags});
  return true;
}

void allocations::note_mapped(void* pointer, std::size_t bytes, int device, bool is_read_only) {
  char* const begin = static_cast<char*>(pointer);
  allocation mapped{begin, bytes, memory_kind::device, device, 0};
  mapped.is_mapped = true;
  mapped.is_read_only = is_read_only;
  const std::lock_guard<std::mutex> lock(mutex_);
  known_.insert_or_assign(begin, mapped);
}

void allocations::forget_mapped(void* begin) {
  const std::lock_guard<std::mutex> lock(mutex_);
  known_.erase(static_cast<char*>(begin));
}

bool allocations::grant(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!can_grant(bytes)) return false;
  granted_ += bytes;
  return true;
}

void allocations::give_back(std::size_t bytes) {
  const std::lock_guard<std::mutex> lock(mutex_);
  granted_ -= bytes;
}

bool allocations::remove(void* pointer, memory_kind kind) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = known_.find(static_cast<char*>(pointer));
  if (found == known_.end() || !found->second.is_there || found->second.kind != kind) return false;
  if (found->second.is_mapped) return false;
  if (found->second.is_kept) {
    if (found->second.observed) registered_memory_observer->free_planned(pointer);
    found->second.is_there = false;
  } else {
    drop(found);
  }
  return true;
}

std::optional<allocation> allocations::find(const void* address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = locate(address);
  if (!is_found(found)) return std::nullopt;
  allocation all = found->second;
  for (auto next = std::next(found); all.is_mapped && next != known_.end(); ++next) {
    if (!next->second.is_mapped || next->second.begin != all.begin + all.bytes) break;
    all.bytes += next->second.bytes;
    all.is_read_only = all.is_read_only || next->second.is_read_only;
  }
  return all;
}

void allocations::set_advice(const void* address, const memory_advice& advice) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = locate(address);
  if (found != known_.end()) found->second.advice = advice;
}

bool allocations::is_absent(const void* address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = locate(address);
  return found != known_.end() && !found->second.is_there;
}

bool allocations::is_found(by_address::iterator at) const {
  return at != known_.end() && (at->second.is_there || is_planned_memory_known);
}

std::size_t allocations::available() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return grantable();
}

void allocations::remove_all(int device) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto each = known_.begin(); each != known_.end();) {
    const allocation& known = each->second;
    const bool gone = known.device == device && known.kind != memory_kind::symbol && !known.is_mapped;
    each = gone ? drop(each) : std::next(each);
  }
}

allocations::by_address::iterator allocations::locate(const void* address) {
  const char* const at = static_cast<const char*>(address);
  const auto after = known_.upper_bound(at);
  if (after == known_.begin()) return known_.end();
  const auto before = std::prev(after);
  return at < before->second.begin + before->second.bytes ? before : known_.end();
}

allocations::by_address::iterator allocations::drop(by_address::iterator gone) {
  if (is_owned(gone->second.kind)) {
    granted_ -= gone->second.bytes;
    if (gone->second.observed) {
      registered_memory_observer->free(gone->second.begin);
    } else {
      std::free(gone->second.begin);
    }
  }
  return known_.erase(gone);
}

}  // namespace simt

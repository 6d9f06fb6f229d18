// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/mapped_memory.hpp"

#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "simt/check/fills.hpp"
#include "simt/check/past_work.hpp"
#include "simt/check/reports.hpp"
#include "simt/machine/machine.hpp"

namespace simt::check {
namespace {

const char* absence_in(address_state state) {
  switch (state) {
    case address_state::reserved:
      return "a lane accesses reserved addresses that no memory is mapped to";
    case address_state::mapped:
      return "a lane accesses mapped memory that hipMemSetAccess has not made accessible";
    default:
      return nullptr;
  }
}

bool is_accessible(address_state state) { return state == address_state::readable || state == address_state::writable; }

/// So that a program does not find there what it had written before.
void fill_unset(const region& memory) {
  if (memory.writable)
    fill_unwritten(reinterpret_cast<void*>(memory.begin), memory.bytes, current_settings().perturbation.fill);
}

}  // namespace

void mapped_memory::create(const void* handle, std::size_t bytes) {
  region memory{};
  memory.begin = reinterpret_cast<std::uintptr_t>(handle);
  memory.bytes = bytes;
  memory.history = new allocation_history;
  capture_caller(memory.history->allocated);
  unreleased_[handle] = memory;
}

void mapped_memory::release(const void* handle) {
  const auto found = unreleased_.find(handle);
  if (found == unreleased_.end()) return;
  delete found->second.history;
  unreleased_.erase(found);
}

void mapped_memory::change(std::uintptr_t begin, std::size_t bytes, address_state state, bool is_unset) {
  const std::uintptr_t end = begin + bytes;
  region changed{};
  changed.begin = changed.span_begin = begin;
  changed.bytes = bytes;
  changed.span_end = end;
  if (state == address_state::reserved) {
    changed.span_begin -= reserved_guard;
    changed.span_end += reserved_guard;
  }
  allocation_history history;
  bool was_mapped = false;
  // Several regions where addresses are given back.
  for (auto at = first_behind(begin); at != regions_.end() && at->first < end; at = first_behind(begin)) {
    const region old = *at->second;
    history = *old.history;
    was_mapped = !old.is_freed || old.absence == absence_in(address_state::mapped);
    drop(at);
    if (state == address_state::given_back) continue;
    if (old.begin == begin) changed.span_begin = old.span_begin;
    if (old.begin + old.bytes == end) changed.span_end = old.span_end;
    keep_rest(old, begin, end, history);
  }
  past_work::instance().forget_memory(begin, bytes);
  if (state == address_state::given_back) return;
  if (state == address_state::reserved || (state == address_state::mapped && !was_mapped)) {
    capture_caller(history.allocated);
  }
  history.freed.count = 0;
  if (state == address_state::unmapped) capture_caller(history.freed);
  changed.is_freed = !is_accessible(state);
  changed.absence = absence_in(state);
  changed.writable = state == address_state::writable;
  changed.initialised = !is_unset;
  const region* const added = add(changed, history);
  if (added != nullptr && is_unset && is_accessible(state)) fill_unset(*added);
}

mapped_memory::by_address::iterator mapped_memory::first_behind(std::uintptr_t address) {
  const auto after = regions_.upper_bound(address);
  if (after == regions_.begin()) return after;
  const auto before = std::prev(after);
  return before->second->begin + before->second->bytes > address ? before : after;
}

region* mapped_memory::add(region memory, const allocation_history& history) {
  memory.kind = WARPZ_MEMORY_ALLOCATION;
  memory.is_mapped = true;
  memory.history = new allocation_history(history);
  if (!make_shadow(memory)) {
    // Nobody looks at the shadow of what cannot be accessed. Where there is no address space, nothing is checked.
    drop_shadow(memory);
    if (!memory.is_freed) return nullptr;
  }
  return regions_[memory.begin] = region_table::add_common(memory);
}

void mapped_memory::drop(by_address::iterator gone) {
  delete gone->second->history;
  region_table::remove_common(gone->second);
  regions_.erase(gone);
}

/// What is left of reserved addresses on either side of these.
void mapped_memory::keep_rest(const region& old, std::uintptr_t begin, std::uintptr_t end,
                              const allocation_history& history) {
  const auto keep = [&](std::uintptr_t from, std::uintptr_t to, std::uintptr_t span_begin, std::uintptr_t span_end) {
    if (from >= to) return;
    region rest{};
    rest.begin = from;
    rest.bytes = to - from;
    rest.span_begin = span_begin;
    rest.span_end = span_end;
    rest.is_freed = true;
    rest.absence = old.absence;
    add(rest, history);
  };
  keep(old.begin, begin, old.span_begin, begin);
  keep(end, old.begin + old.bytes, end, old.span_end);
}

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/race_patterns.hpp"

#include <cstring>

#include "simt/check/reports.hpp"

namespace simt::check {
namespace {

std::uint64_t value_at(const void* memory, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, memory, size);
  return value;
}

}  // namespace

void race_patterns::watch(std::uint32_t thread, const watched_read& read) {
  watched_read& known = watched_[thread];
  if (known.address == read.address && known.record == read.record && known.size == read.size &&
      known.value == read.value) {
    ++known.races;
    return;
  }
  if (known.address == 0) ++count_;
  known = read;
}

void race_patterns::forget(watched_read& read) {
  read.address = 0;
  --count_;
}

void race_patterns::watch_read(std::uint32_t thread, std::uint32_t record, std::uintptr_t address, std::size_t size) {
  if (size > sizeof(std::uint64_t)) return;
  const std::uint64_t value = old_value_ ? *old_value_ : value_at(reinterpret_cast<const void*>(address), size);
  watch(thread, {record, address, 0, size, value, 1});
}

void race_patterns::note_old_value(const void* value, std::size_t size) {
  old_value_ = value != nullptr ? std::optional(value_at(value, size)) : std::nullopt;
}

void race_patterns::note_access(checked_access event) {
  watched_read& read = watched_[event.clock.thread];
  if (read.address == 0) return;
  const bool is_there = event.address == read.address;
  if (read.size != 0) {
    if (is_there) forget(read);
    return;
  }
  if (!writes(event.kind)) return;
  if (is_there && event.self.code() == read.written_by) note_pattern(read.record, WARPZ_RACE_UPDATE);
  forget(read);
}

void race_patterns::note_compare(std::uint32_t thread, std::uintptr_t address, const void* expected, std::size_t size) {
  watched_read& read = watched_[thread];
  if (read.address != address || read.size != size) return;
  if (value_at(expected, size) == read.value) note_checked_reads(read.record, read.races);
  forget(read);
}

}  // namespace simt::check

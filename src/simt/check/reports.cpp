// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/reports.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <utility>

#include "simt/machine/findings.hpp"

namespace simt::check {
namespace {

std::bitset<std::size_t{place_mask} + 1>& atomic_places() {
  static auto* const only = new std::bitset<std::size_t{place_mask} + 1>;
  return *only;
}

/// What makes two findings the same one: what, where in the code, and in which memory.
using identity = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

struct told {
  identity what;
  warpz_finding* record;
};

std::vector<told>& all_told() {
  static auto* const list = new std::vector<told>;
  return *list;
}

identity identity_of(const report& of) {
  const std::uint32_t here = place_of(of.here.who), there = of.has_other ? place_of(of.there.who) : 0;
  const std::uint32_t memory = of.in != nullptr ? of.in->kind : WARPZ_MEMORY_UNKNOWN;
  return {of.kind, std::min(here, there), std::max(here, there), memory, of.in != nullptr ? of.in->argument : 0};
}

void add(warpz_finding& record, const party& of, std::size_t size, const block& where) {
  describe(record.groups[record.group_count++], of, size, where.request().grid, where.lanes_per_warp());
}

void add_history(warpz_finding& record, const region& of) {
  if (of.past == nullptr) return;
  std::copy_n(of.past->made.frames, of.past->made.count, record.made_by);
  std::copy_n(of.past->released.frames, of.past->released.count, record.released_by);
}

void fill(warpz_finding& record, const report& from, const block& where) {
  record.kind = from.kind;
  record.severity = from.severity;
  record.relation = from.relation;
  std::snprintf(record.kernel, sizeof record.kernel, "%s", where.request().name);
  record.address = from.address;
  if (from.rule != nullptr) std::snprintf(record.message, sizeof record.message, "%s", from.rule);
  if (from.in != nullptr) {
    record.memory = from.in->kind;
    record.argument = from.in->argument;
    record.offset = static_cast<std::int64_t>(from.address - from.in->begin);
    record.length = from.in->bytes;
    add_history(record, *from.in);
    // The host program knows a variable by where it lies in its file.
    if (from.in->kind == WARPZ_MEMORY_VARIABLE) record.offset = static_cast<std::int64_t>(from.address - code_base);
  }
  add(record, from.here, from.size, where);
  if (from.has_other) add(record, from.there, 0, where);
}

/// The same finding, where it was told.
told* told_before(const identity& what) {
  std::vector<told>& all = all_told();
  const auto known = std::find_if(all.begin(), all.end(), [&what](const told& each) { return each.what == what; });
  return known != all.end() ? &*known : nullptr;
}

/// A record for one more; null where there is no room. The last one is kept for what may yet end the kernel.
warpz_finding* next_record(bool ends_kernel) {
  if (all_told().size() + 1 >= current_sink().room && !ends_kernel) {
    if (std::uint32_t* const left_out = current_sink().left_out) ++*left_out;
    return nullptr;
  }
  warpz_finding* const record = current_sink().next_finding();
  std::memset(record, 0, sizeof *record);
  return record;
}

}  // namespace

void describe(warpz_lane_group& group, const party& of, std::size_t size, index3 grid, unsigned lanes_per_warp) {
  const std::uint32_t number = block_of_instant(instant_of(of.who));
  group.block[0] = number % grid.x;
  group.block[1] = number / grid.x % grid.y;
  group.block[2] = number / grid.x / grid.y;
  group.warp = thread_of(of.who) / lanes_per_warp;
  group.lanes = lane_mask{1} << thread_of(of.who) % lanes_per_warp;
  group.state = state_of(of.what);
  group.bytes = static_cast<std::uint32_t>(size);
  const std::uint32_t place = place_of(of.who);
  // Into the call, before the address that it returns to.
  if (place != 0) group.code = code_base + (std::uintptr_t{place} << lost_bits) - 1;
}

std::uint32_t tell(const report& what, const block& where) {
  std::vector<told>& all = all_told();
  const identity key = identity_of(what);
  if (told* const known = told_before(key)) {
    ++known->record->repeats;
    if (what.severity == WARPZ_ERROR) known->record->severity = WARPZ_ERROR;
    // Who is farthest from each other tells what has to order them.
    known->record->relation = std::max<std::uint32_t>(known->record->relation, what.relation);
    if (!what.can_go_on) stop_kernel();
    return static_cast<std::uint32_t>(known - all.data());
  }
  warpz_finding* const record = next_record(!what.can_go_on);
  if (record == nullptr) return no_record;
  fill(*record, what, where);
  current_sink().publish(record);
  if (!what.can_go_on) stop_kernel();
  all.push_back({key, record});
  return static_cast<std::uint32_t>(all.size() - 1);
}

void tell_of_host(warpz_finding_kind kind, const region& of, const char* text) {
  const identity key{kind, static_cast<std::uint32_t>(of.begin), static_cast<std::uint32_t>(of.begin >> 32), 0, 0};
  if (told* const known = told_before(key)) {
    ++known->record->repeats;
    return;
  }
  warpz_finding* const record = next_record(false);
  if (record == nullptr) return;
  record->kind = kind;
  record->memory = WARPZ_MEMORY_ALLOCATION;
  record->length = of.bytes;
  std::snprintf(record->message, sizeof record->message, "%s", text);
  add_history(*record, of);
  if (kind == WARPZ_DOUBLE_FREE) {
    execution here;
    capture_stack(here, 0);
    record->frame_count = here.frame_count;
    std::copy_n(here.frames, here.frame_count, record->frames);
  }
  current_sink().publish(record);
  all_told().push_back({key, record});
}

void make_error(std::uint32_t record) { all_told()[record].record->severity = WARPZ_ERROR; }

void begin_reports() { all_told().clear(); }

void note_atomic_place(std::uint32_t place) { atomic_places().set(place); }

bool is_atomic_place(std::uint32_t place) { return atomic_places().test(place); }

bool make_accessible(const region& beside, std::uintptr_t address, std::size_t size, bool writes) {
  if (beside.of_block || beside.kind == WARPZ_MEMORY_VARIABLE) return true;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t own_begin = beside.begin / page * page;
  const std::uintptr_t own_end = (beside.begin + beside.bytes + page - 1) / page * page;
  for (std::uintptr_t at = address / page * page; at < address + size; at += page) {
    if (at >= own_begin && at < own_end) {
      if (writes && !beside.writable) return false;
    } else if (mprotect(reinterpret_cast<void*>(at), page, PROT_READ | PROT_WRITE) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace simt::check

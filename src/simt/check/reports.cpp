// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/reports.hpp"

#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "abi/text.h"
#include "simt/check/unwritten_reads.hpp"
#include "simt/machine/findings.hpp"
#include "simt/machine/published_findings.hpp"

namespace simt::check {

void add_history(warpz_finding& record, const region& memory) {
  if (memory.history == nullptr) return;
  std::copy_n(memory.history->allocated.frames, memory.history->allocated.count, record.allocated_at);
  std::copy_n(memory.history->freed.frames, memory.history->freed.count, record.freed_at);
}

void add_caller(warpz_finding& record) {
  execution caller;
  capture_stack(caller, 0);
  record.frame_count = caller.frame_count;
  std::copy_n(caller.frames, caller.frame_count, record.frames);
}

namespace {

struct code_range {
  std::uintptr_t begin = 0, end = 0;
  bool holds(std::uintptr_t address) const { return address >= begin && address < end; }
};

/// The machine's code, and that of HIP's calls.
code_range find_own_code() {
  code_range found;
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* data) {
        const auto here = reinterpret_cast<std::uintptr_t>(&find_own_code);
        for (unsigned i = 0; i < module->dlpi_phnum; ++i) {
          const auto& part = module->dlpi_phdr[i];
          const code_range code{module->dlpi_addr + part.p_vaddr, module->dlpi_addr + part.p_vaddr + part.p_memsz};
          if (part.p_type != PT_LOAD || !code.holds(here)) continue;
          *static_cast<code_range*>(data) = code;
          return 1;
        }
        return 0;
      },
      &found);
  return found;
}

}  // namespace

void capture_caller(call_stack& target) {
  target.count = 0;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        static const code_range own_code = find_own_code();
        auto& found = *static_cast<call_stack*>(data);
        const std::uintptr_t address = _Unwind_GetIP(context) - 1;
        if (found.count == 0 && own_code.holds(address)) return _URC_NO_REASON;
        found.frames[found.count++] = address;
        return found.count == WARPZ_HISTORY_FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &target);
}

warpz_finding* next_record(bool ends_kernel) {
  if (published_findings().size() + 1 >= current_sink().room && !ends_kernel) {
    if (std::uint32_t* const left_out = current_sink().left_out) ++*left_out;
    return nullptr;
  }
  warpz_finding* const record = current_sink().next_finding();
  std::memset(record, 0, sizeof *record);
  return record;
}

namespace {

warpz::finding_identity identity_of(const access_finding& found) {
  warpz::finding_identity identity;
  identity.kind = found.kind;
  if (found.memory != nullptr) {
    identity.memory = found.memory->kind;
    identity.argument = found.memory->argument;
  }
  identity.add_party(found.current.self.code());
  if (found.has_earlier) identity.add_party(found.earlier.self.code());
  identity.is_forwarded_read = found.pattern == WARPZ_RACE_FORWARDED_READ;
  return identity;
}

/// The identity of a finding that no lane is part of.
warpz::finding_identity identity_of(warpz_finding_kind kind, std::uint64_t origin) {
  warpz::finding_identity identity;
  identity.kind = kind;
  identity.origin = origin;
  return identity;
}

void add_accessor(warpz_finding& record, const accessor& lane, std::size_t size, const block& current) {
  describe(record.groups[record.group_count++], lane, size, current.request().grid, current.warp_size());
}

void fill(warpz_finding& record, const access_finding& found, const block& current) {
  record.kind = found.kind;
  record.severity = found.severity;
  record.relation = found.relation;
  copy_launch(record, current);
  record.address = found.address;
  if (found.rule != nullptr) std::snprintf(record.message, sizeof record.message, "%s", found.rule);
  record.pattern = found.pattern;
  if (found.ordered_at.line != 0) copy_place(record.ordered_at, found.ordered_at, 0);
  if (found.memory != nullptr) {
    record.memory = found.memory->kind;
    record.argument = found.memory->argument;
    record.offset = static_cast<std::int64_t>(found.address - found.memory->begin);
    record.length = found.memory->bytes;
    record.element_bytes = found.memory->element_bytes;
    add_history(record, *found.memory);
    // The host program looks variables up by their offset in the module's file.
    if (found.memory->kind == WARPZ_MEMORY_VARIABLE)
      record.offset = static_cast<std::int64_t>(found.address - code_base);
  }
  add_accessor(record, found.current, found.size, current);
  // Such a finding is about no access.
  if (found.memory == nullptr && found.size == 0) record.groups[0].state = WARPZ_LANE_RUNNING;
  if (found.has_earlier) add_accessor(record, found.earlier, 0, current);
}

/// What a repetition of a published finding adds to it, beside the count.
void add_repetition(published_finding& known, const access_finding& found) {
  warpz_finding& record = *known.record;
  if (found.severity == WARPZ_ERROR) {
    ++known.unchecked;
    record.severity = WARPZ_ERROR;
    if (record.pattern == WARPZ_RACE_CHECKED_READ || record.pattern == WARPZ_RACE_BEHIND_ATOMIC) record.pattern = 0;
  }
  known.is_guess = known.is_guess && found.is_guess;
  const bool is_of_warning = found.pattern == WARPZ_RACE_FORWARDED_READ || found.pattern == WARPZ_RACE_BEHIND_ATOMIC;
  const bool is_refuted = is_of_warning && record.severity == WARPZ_ERROR;
  if (found.pattern != 0 && !is_refuted) record.pattern = found.pattern;
  // The accessors that are farthest from each other determine what has to order them.
  record.relation = std::max<std::uint32_t>(record.relation, found.relation);
}

}  // namespace

access_finding finding_of(warpz_finding_kind kind, checked_access event) {
  access_finding found{};
  found.kind = kind;
  found.memory = event.memory;
  found.address = event.address;
  found.size = event.size;
  found.current = {event.self, event.kind};
  found.can_continue = true;
  return found;
}

warpz_lane_state state_of(access_kind kind) {
  if (is_atomic(kind)) return WARPZ_LANE_ATOMIC;
  return writes(kind) && kind != access_kind::read_and_write ? WARPZ_LANE_WROTE : WARPZ_LANE_READ;
}

warpz_lane_group& add_lane(warpz_finding& record, const block& current, std::uint32_t thread, warpz_lane_state state) {
  warpz_lane_group& group = record.groups[record.group_count++];
  const index3 at = current.block_idx();
  group = {};
  group.block[0] = at.x;
  group.block[1] = at.y;
  group.block[2] = at.z;
  group.warp = thread / current.warp_size();
  group.lanes = bit(thread % current.warp_size());
  group.state = state;
  return group;
}

void describe(warpz_lane_group& group, const accessor& lane, std::size_t size, index3 grid, unsigned warp_size) {
  const std::uint32_t number = block_of_timestamp(lane.self.time());
  group.block[0] = number % grid.x;
  group.block[1] = number / grid.x % grid.y;
  group.block[2] = number / grid.x / grid.y;
  group.warp = lane.self.thread() / warp_size;
  group.lanes = lane_mask{1} << lane.self.thread() % warp_size;
  group.state = state_of(lane.kind);
  group.bytes = static_cast<std::uint32_t>(size);
  if (lane.self.code() != 0) group.code = address_of(lane.self.code());
}

std::uint32_t publish(const access_finding& found, const block& current) {
  std::vector<published_finding>& all = published_findings();
  const warpz::finding_identity identity = identity_of(found);
  if (published_finding* const known = count_repetition(identity)) {
    add_repetition(*known, found);
    if (!found.can_continue) stop_kernel();
    return static_cast<std::uint32_t>(known - all.data());
  }
  warpz_finding* const record = next_record(!found.can_continue);
  if (record == nullptr) return no_record;
  fill(*record, found, current);
  current_sink().publish(record);
  if (!found.can_continue) stop_kernel();
  all.push_back({identity, record, found.severity == WARPZ_ERROR ? 1U : 0U, found.is_guess});
  return static_cast<std::uint32_t>(all.size() - 1);
}

void publish_access(warpz_finding_kind kind, const checked_block& block, checked_access event) {
  publish(finding_of(kind, event), *block.current);
}

namespace {

std::uint64_t place_of(const calling_lane& each) {
  return each.code != nullptr ? reinterpret_cast<std::uintptr_t>(each.code) - code_base
                              : warpz::place_of_call(each.at.operation, each.at.file, each.at.line);
}

void add_caller(warpz_finding& record, const block& current, const calling_lane& each, warpz_lane_state state) {
  warpz_lane_group& group = add_lane(record, current, each.warp * current.warp_size() + each.lane, state);
  copy_place(group.place, each.at, 0);
  if (each.code != nullptr) group.code = reinterpret_cast<std::uintptr_t>(each.code) - 1;
}

/// A new finding about such calls; null if it has been published before, or there is no room.
warpz_finding* begin_calls(warpz_finding_kind kind, const block& current, std::initializer_list<calling_lane> parties) {
  warpz::finding_identity identity = identity_of(kind, 0);
  for (const calling_lane& each : parties) identity.add_party(place_of(each));
  if (count_repetition(identity) != nullptr) return nullptr;
  warpz_finding* const record = next_record(false);
  if (record == nullptr) return nullptr;
  record->kind = kind;
  copy_launch(*record, current);
  published_findings().push_back({identity, record});
  return record;
}

}  // namespace

void publish_call(warpz_finding_kind kind, const char* rule, const site& at) {
  const fiber& self = checked_block::running();
  const calling_lane calling{self.warp->index, self.lane_id, at, nullptr};
  warpz_finding* const record = begin_calls(kind, *self.warp->block, {calling});
  if (record == nullptr) return;
  std::snprintf(record->message, sizeof record->message, "%s", rule);
  add_caller(*record, *self.warp->block, calling, WARPZ_LANE_RUNNING);
  current_sink().publish(record);
}

void publish_wait(const block& current, const char* rule, const calling_lane& waiting, const calling_lane& giving) {
  warpz_finding* const record = begin_calls(WARPZ_WAIT_WITHIN_WARP, current, {waiting, giving});
  if (record == nullptr) return;
  std::snprintf(record->message, sizeof record->message, "%s", rule);
  add_caller(*record, current, waiting, WARPZ_LANE_WAITING);
  add_caller(*record, current, giving, WARPZ_LANE_ATOMIC);
  current_sink().publish(record);
}

void publish_of_launch(const char* kernel, const char* rule) {
  const warpz::finding_identity identity =
      identity_of(WARPZ_INVALID_LAUNCH, warpz::hash_of(rule, warpz::hash_of(kernel)));
  if (count_repetition(identity) != nullptr) return;
  warpz_finding* const record = next_record(false);
  if (record == nullptr) return;
  record->kind = WARPZ_INVALID_LAUNCH;
  record->severity = WARPZ_WARNING;
  std::snprintf(record->kernel, sizeof record->kernel, "%s", kernel);
  std::snprintf(record->message, sizeof record->message, "%s", rule);
  add_caller(*record);
  current_sink().publish(record);
  published_findings().push_back({identity, record});
}

std::uint32_t publish_ignored_error(warpz_finding_kind kind, const char* kernel, const char* rule,
                                    const region* memory) {
  warpz_finding caller{};
  add_caller(caller);
  std::uint64_t origin = 0;
  for (std::uint32_t i = 0; i < caller.frame_count; ++i) origin = origin * 31 + caller.frames[i];
  const warpz::finding_identity identity = identity_of(kind, origin);
  if (published_finding* const known = count_repetition(identity)) {
    known->record->is_withdrawn = 0;
    return static_cast<std::uint32_t>(known - published_findings().data());
  }
  warpz_finding* const record = next_record(false);
  if (record == nullptr) return no_record;
  *record = caller;
  record->kind = kind;
  if (kernel != nullptr) std::snprintf(record->kernel, sizeof record->kernel, "%s", kernel);
  std::snprintf(record->message, sizeof record->message, "%s", rule);
  if (memory != nullptr) {
    record->memory = WARPZ_MEMORY_ALLOCATION;
    record->length = memory->bytes;
    add_history(*record, *memory);
  }
  current_sink().publish(record);
  published_findings().push_back({identity, record});
  return static_cast<std::uint32_t>(published_findings().size() - 1);
}

void publish_of_host(const host_finding& found) {
  const warpz::finding_identity identity = identity_of(found.kind, found.memory->begin);
  if (count_repetition(identity) != nullptr) return;
  warpz_finding* const record = next_record(false);
  if (record == nullptr) return;
  record->kind = found.kind;
  record->severity = found.severity;
  record->memory = WARPZ_MEMORY_ALLOCATION;
  record->length = found.bytes;
  record->repeats = found.repeats;
  std::snprintf(record->message, sizeof record->message, "%s", found.rule);
  add_history(*record, *found.memory);
  if (found.has_call) add_caller(*record);
  current_sink().publish(record);
  published_findings().push_back({identity, record});
}

void raise_to_error(std::uint32_t record) {
  ++published_findings()[record].unchecked;
  published_findings()[record].record->severity = WARPZ_ERROR;
}

void set_withdrawn(std::uint32_t record, bool is_withdrawn) {
  published_findings()[record].record->is_withdrawn = is_withdrawn;
}

void set_effect(std::uint32_t record, bool is_effect) { published_findings()[record].record->is_effect = is_effect; }

bool is_example(std::uint32_t record, const access_finding& found) {
  return published_findings()[record].record->address == found.address;
}

void replace_example(std::uint32_t record, const access_finding& found, const block& current) {
  warpz_finding& shown = *published_findings()[record].record;
  const std::uint32_t repeats = shown.repeats;
  std::memset(&shown, 0, sizeof shown);
  fill(shown, found, current);
  shown.repeats = repeats == 0 ? 0 : repeats - 1;
}

void note_pattern(std::uint32_t record, warpz_race_pattern pattern) {
  published_findings()[record].record->pattern = pattern;
}

void drop_guesses() {
  for (std::uint32_t i = 0; i < published_findings().size(); ++i) {
    if (!published_findings()[i].is_guess) continue;
    raise_to_error(i);
    note_pattern(i, warpz_race_pattern{});
    published_findings()[i].is_guess = false;
  }
}

void note_checked_reads(std::uint32_t record, std::uint64_t races) {
  published_finding& found = published_findings()[record];
  found.unchecked -= races;
  if (found.unchecked != 0) return;
  found.record->severity = WARPZ_WARNING;
  found.record->pattern = WARPZ_RACE_CHECKED_READ;
}

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/lane_recorder.hpp"
#include "abi/text.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>

#include "simt/check/code_ids.hpp"
#include "simt/machine/findings.hpp"

namespace simt::check {
namespace {

static_assert(static_cast<int>(value_type::bfloat16) == WARPZ_BFLOAT16);
static_assert(sizeof(warpz_lane_record) <= WARPZ_RECORD_BYTES);

/// Words that no operand is likely to be, one for each lane. The second set is in another order, so that a minimum is
/// not taken for the value of one lane.
constexpr std::uint64_t first_tag = 0x5eed'0f1a'9e00'0000, absent_tag = 0xab5e'0f1a'9e00'0000;
constexpr std::uint64_t tag_in_order(unsigned lane) { return first_tag + lane; }
constexpr std::uint64_t tag_reversed(unsigned lane) { return first_tag + (max_warp_size - 1 - lane); }

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

std::uint64_t read_word(const void* at, std::size_t bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, std::min(bytes, word_bytes));
  return word;
}

/// The results that a collective has for the operands that `operand` gives for each lane.
template <class Operand>
collective_slots results_for(const warp& current_warp, const pending_collective& met, Operand operand) {
  collective_slots slots = current_warp.operands;
  for (unsigned lane = 0; lane < max_warp_size; ++lane) {
    slots.value[lane] = operand(lane);
    slots.result[lane] = 0;
  }
  met.op(slots, met.arrived);
  return slots;
}

template <class Holds>
bool holds_in_all(lane_mask group, Holds holds) {
  for (; group != 0; group &= group - 1) {
    if (!holds(lowest(group))) return false;
  }
  return true;
}

/// Whether this launch is to be recorded: the one of the wanted number, or else the first that has the wanted block.
/// The host has left the wanted kernel's name in the record, or none.
bool is_wanted(const warpz_lane_record& record, const launch_request& launched) {
  const std::uint32_t wanted = current_settings().recording.launch;
  if (record.threads != 0 || (wanted != 0 && wanted != launched.number)) return false;
  constexpr std::size_t room = sizeof record.kernel - 1;
  return record.kernel[0] == '\0' || std::strncmp(record.kernel, launched.name, room) == 0;
}

constexpr bool is_tag(std::uint64_t word, std::uint64_t first) { return word - first < max_warp_size; }

}  // namespace

std::uint64_t lane_recorder::absent(unsigned source) { return absent_tag + source; }

void lane_recorder::begin_block(checked_block& checked, std::uint64_t /*number*/) {
  const block& current = *checked.current;
  const warpz_lane_recording& wanted = current_settings().recording;
  block_ = &current;
  const index3 at = current.block_idx(), grid = current.request().grid;
  const std::uint64_t number = at.x + std::uint64_t{grid.x} * (at.y + std::uint64_t{grid.y} * at.z);
  record_ = number == wanted.block ? static_cast<warpz_lane_record*>(wanted.record) : nullptr;
  if (record_ != nullptr && !is_wanted(*record_, current.request())) record_ = nullptr;
  written_begin_ = written_end_ = parts_ = nullptr;
  if (record_ == nullptr) return;
  checked.is_recorded = true;
  warpz_lane_record& record = *record_;
  record.event_count = record.left_out = 0;
  record.place_count = record.buffer_count = 0;
  record.launch = current.request().number;
  const std::uint32_t places[2][3] = {{grid.x, grid.y, grid.z}, {at.x, at.y, at.z}};
  std::copy(std::begin(places[0]), std::end(places[0]), record.grid);
  std::copy(std::begin(places[1]), std::end(places[1]), record.block);
  record.threads = current.lane_count();
  record.warp_size = current.warp_size();
  warpz_copy_beginning(record.kernel, sizeof record.kernel, current.request().name);
}

void lane_recorder::end_record() {
  complete_write();
  record_ = nullptr;
}

/// Null where there is no room.
warpz_lane_event* lane_recorder::add(warpz_lane_event_kind kind, std::uint32_t thread) {
  if (record_->event_count >= WARPZ_MAX_LANE_EVENTS) {
    ++record_->left_out;
    return nullptr;
  }
  warpz_lane_event& event = record_->events[record_->event_count++];
  event = {};
  event.kind = static_cast<std::uint8_t>(kind);
  event.thread = thread;
  return &event;
}

std::uint32_t lane_recorder::number_of(const site& at, lane_mask named) {
  warpz_place place{};
  copy_place(place, at, named == ~lane_mask{0} ? 0 : named);
  warpz_place* const end = record_->places + std::min<std::uint32_t>(record_->place_count, WARPZ_MAX_LANE_PLACES);
  warpz_place* const known = std::find_if(
      record_->places, end, [&](const warpz_place& each) { return std::memcmp(&each, &place, sizeof place) == 0; });
  if (known == end && end != std::end(record_->places)) record_->places[record_->place_count++] = place;
  return static_cast<std::uint32_t>(known - record_->places);
}

/// The buffer's number in the record. Buffers for which there is no room share the last number.
std::uint32_t lane_recorder::number_of(const region& allocated) {
  warpz_lane_buffer* const end =
      record_->buffers + std::min<std::uint32_t>(record_->buffer_count, WARPZ_MAX_LANE_BUFFERS);
  warpz_lane_buffer* const known =
      std::find_if(record_->buffers, end, [&](const warpz_lane_buffer& each) { return each.begin == allocated.begin; });
  if (known == end && end != std::end(record_->buffers)) {
    *end = {allocated.begin, allocated.bytes, {}};
    if (const allocation_history* const history = allocated.history)
      std::copy_n(history->allocated.frames, history->allocated.count, end->allocated_at);
    ++record_->buffer_count;
  }
  return static_cast<std::uint32_t>(known - record_->buffers);
}

/// A write is noted before it happens; it has happened when any lane does anything else.
void lane_recorder::complete_write() {
  for (; written_begin_ != written_end_; ++written_begin_) {
    written_begin_->value = read_word(written_at_, written_begin_->bytes);
    written_begin_->flags &= static_cast<std::uint8_t>(~WARPZ_VALUE_IS_UNKNOWN);
    written_at_ += written_begin_->bytes;
  }
}

bool lane_recorder::follows(const warp& current_warp) const {
  const std::int32_t wanted = current_settings().recording.warp;
  return wanted < 0 || current_warp.index == static_cast<unsigned>(wanted);
}

void lane_recorder::note(checked_access event) {
  complete_write();
  const fiber& running = checked_block::running();
  if (!follows(*running.warp)) return;
  const auto code = reinterpret_cast<std::uintptr_t>(event.code) - 1;
  const bool is_readable = event.memory->holds(event.address, event.size) && !event.memory->is_freed;
  if (!writes(event.kind)) readable_ = is_readable ? reinterpret_cast<const char*>(event.address) : nullptr;
  const warpz_lane_event_kind kind = is_atomic(event.kind) || event.kind == access_kind::read_and_write
                                         ? WARPZ_LANE_CHANGES
                                     : writes(event.kind) ? WARPZ_LANE_STORES
                                                          : WARPZ_LANE_LOADS;
  // A copy may be of any size, and a vector's elements are mostly floats, as a puzzle's arguments are.
  const bool has_floats = event.memory->kind == WARPZ_MEMORY_ARGUMENT && !is_atomic(event.kind);
  const bool is_split = event.size > word_bytes || (event.size == word_bytes && has_floats);
  const bool is_allocated = event.memory->kind == WARPZ_MEMORY_ALLOCATION;
  const std::uint32_t argument = is_allocated ? number_of(*event.memory) : event.memory->argument;
  const std::size_t piece = !is_split ? event.size : event.size % sizeof(float) == 0 ? sizeof(float) : 1;
  for (std::size_t done = 0; done < event.size; done += piece) {
    warpz_lane_event* const noted = add(kind, running.thread);
    if (noted == nullptr) return;
    const char* const at = reinterpret_cast<const char*>(event.address) + done;
    noted->bytes = static_cast<std::uint32_t>(piece);
    noted->memory = static_cast<std::uint32_t>(event.memory->kind);
    noted->argument = argument;
    // The host program looks variables up by their offset in the module's file.
    const std::uintptr_t begin = event.memory->kind == WARPZ_MEMORY_VARIABLE ? code_base : event.memory->begin;
    noted->offset = static_cast<std::int64_t>(event.address + done - begin);
    noted->code = code;
    noted->flags = event.kind == access_kind::read_and_write ? WARPZ_CHANGE_IS_PLAIN : 0;
    if (!is_readable) {
      noted->flags |= WARPZ_VALUE_IS_UNKNOWN;
      continue;
    }
    noted->value = noted->result = read_word(at, piece);
    if (!writes(event.kind)) continue;
    noted->flags |= WARPZ_VALUE_IS_UNKNOWN;
    if (done == 0) {
      written_begin_ = noted;
      written_at_ = at;
    }
    written_end_ = noted + 1;
  }
}

void lane_recorder::complete_copy(const char* target, const char* source) {
  // The target or the source may be memory whose accesses are not recorded.
  if (written_at_ != target || readable_ != source) return;
  written_at_ = source;
  complete_write();
}

void lane_recorder::note_warp(warpz_lane_event_kind kind, const warp& current_warp, lane_mask group, const site& at,
                              lane_mask named) {
  complete_write();
  warpz_lane_event* const noted = add(kind, current_warp.lanes[0].thread);
  if (noted == nullptr) return;
  noted->place = number_of(at, named);
  noted->type = static_cast<std::uint8_t>(at.type);
  noted->value = group;
  noted->result = current_warp.exited;
  noted->code = current_warp.present;
}

/// Finds out what the collective does, and from which lane each gets its result.
warpz_movement lane_recorder::probe(const warp& current_warp, const pending_collective& met) {
  const lane_mask group = met.arrived;
  probing_ = true;
  const collective_slots in_order = results_for(current_warp, met, tag_in_order);
  const collective_slots reversed = results_for(current_warp, met, tag_reversed);
  const collective_slots odd = results_for(current_warp, met, [](unsigned lane) { return std::uint64_t{lane & 1}; });
  const collective_slots even = results_for(current_warp, met, [](unsigned lane) { return std::uint64_t{~lane & 1}; });
  const collective_slots ones = results_for(current_warp, met, [](unsigned) { return std::uint64_t{1}; });
  const collective_slots zeros = results_for(current_warp, met, [](unsigned) { return std::uint64_t{0}; });
  // An exclusive or of the others is 0.
  const unsigned first = lowest(group);
  const collective_slots single =
      results_for(current_warp, met, [first](unsigned lane) { return std::uint64_t{lane == first}; });
  probing_ = false;

  const bool moves = holds_in_all(group, [&](unsigned lane) {
    const std::uint64_t a = in_order.result[lane], b = reversed.result[lane];
    warpz_lane_event& part = parts_[__builtin_popcountll(group & first_lanes(lane))];
    const bool is_absent = is_tag(a, absent_tag);
    part.source = static_cast<std::uint32_t>(a - (is_absent ? absent_tag : first_tag));
    part.flags = is_absent ? WARPZ_RESULT_IS_UNDEFINED : 0;
    return is_absent ? a == b : is_tag(a, first_tag) && b == tag_reversed(part.source);
  });
  if (moves) return WARPZ_MOVES;
  for (int i = 0; i < __builtin_popcountll(group); ++i) {
    parts_[i].flags = 0;
    parts_[i].source = WARPZ_NO_LANE;
  }
  constexpr lane_mask odd_lanes = 0xaaaa'aaaa'aaaa'aaaa;
  const auto is_same = [&](const collective_slots& one) {
    return holds_in_all(group, [&](unsigned lane) { return one.result[lane] == in_order.result[lane]; });
  };
  if (is_same(reversed) && is_same(odd) && is_same(even) && is_same(ones) && is_same(zeros) && is_same(single))
    return WARPZ_MEETS;
  // Combining tags never gives 1.
  const bool decides = holds_in_all(group, [&](unsigned lane) {
    return in_order.result[lane] == 1 && reversed.result[lane] == 1 && ones.result[lane] == 1 &&
           zeros.result[lane] == 0;
  });
  if (decides) return WARPZ_DECIDES;
  const bool votes = holds_in_all(group, [&](unsigned lane) {
    return odd.result[lane] == (group & odd_lanes) && even.result[lane] == (group & ~odd_lanes);
  });
  if (votes) return WARPZ_VOTES;
  // All lanes, if they agree, or those that have the same.
  const bool matches = holds_in_all(group, [&](unsigned lane) {
    const lane_mask same = group & (lane % 2 == 1 ? odd_lanes : ~odd_lanes);
    return ones.result[lane] == group && (odd.result[lane] == same || odd.result[lane] == 0);
  });
  return matches ? WARPZ_MATCHES : WARPZ_COMBINES;
}

void lane_recorder::note_collective(const warp& current_warp, const pending_collective& met) {
  parts_ = nullptr;
  if (!follows(current_warp)) return;
  note_warp(WARPZ_WARP_MEETS, current_warp, met.arrived, met.at, met.named);
  const auto lanes = static_cast<std::uint64_t>(__builtin_popcountll(met.arrived));
  if (record_->event_count == 0 || record_->event_count + lanes > WARPZ_MAX_LANE_EVENTS) {
    record_->left_out += lanes;
    return;
  }
  warpz_lane_event& meeting = record_->events[record_->event_count - 1];
  parts_ = record_->events + record_->event_count;
  for (lane_mask rest = met.arrived; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    warpz_lane_event& part = *add(WARPZ_LANE_TAKES_PART, current_warp.lanes[lane].thread);
    part.value = current_warp.operands.value[lane];
    part.source = WARPZ_NO_LANE;
  }
  meeting.movement = static_cast<std::uint8_t>(probe(current_warp, met));
}

void lane_recorder::note_results(const warp& current_warp) {
  if (parts_ == nullptr) return;
  const warpz_lane_event* const end = record_->events + record_->event_count;
  for (warpz_lane_event* part = parts_; part != end; ++part) {
    part->result = current_warp.operands.result[part->thread % block_->warp_size()];
  }
  parts_ = nullptr;
}

void lane_recorder::note_barrier() {
  for (unsigned w = 0; w < block_->warp_count(); ++w) {
    const warp& each = block_->warp_at(w);
    if (each.at_barrier == 0 || !follows(each)) continue;
    note_warp(WARPZ_WARP_WAITS, each, each.at_barrier, each.lanes[lowest(each.at_barrier)].last, ~lane_mask{0});
  }
}

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/digest.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "abi/text.h"
#include "simt/check/reports.hpp"
#include "simt/machine/findings.hpp"

namespace simt::check {
namespace {

const warpz_perturbation& current_perturbation() { return current_settings().perturbation; }

/// Takes the digest if there is no other.
warpz_digest unused_digest;

/// Blocks of earlier launches.
std::uint64_t blocks_before = 0;

warpz_digest& this_digest() {
  warpz_digest* const digest = current_sink().digest;
  return digest != nullptr ? *digest : unused_digest;
}

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  // The finalizer of SplitMix64.
  std::uint64_t z = a * 0x9e3779b97f4a7c15 + b;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

std::uint64_t mixed(std::uint64_t hash, std::string_view bytes) {
  for (const char each : bytes) hash = mixed(hash, static_cast<unsigned char>(each));
  return hash;
}

bool is_shared(const region& memory) {
  return memory.kind == WARPZ_MEMORY_SHARED || memory.kind == WARPZ_MEMORY_DYNAMIC_SHARED;
}

/// Where the memory would be on a GPU: the machine ends buffers at a page's end, a GPU begins them at a multiple of
/// 256.
std::uint64_t address_on_gpu(const region& memory, std::uintptr_t address) {
  constexpr std::uint64_t alignment = 256;
  const bool is_allocated = memory.kind == WARPZ_MEMORY_ARGUMENT || memory.kind == WARPZ_MEMORY_ALLOCATION;
  return is_allocated ? address - memory.begin % alignment : address;
}

static_assert(static_cast<int>(counters::access_form::atomic_change) == static_cast<int>(access_kind::atomic_change));

/// The same in every process, wherever its memory lies.
std::uint64_t mark_of(const site& at) { return mixed(mixed(at.line, at.file), at.operation); }

}  // namespace

void block_digest::begin_launch() {
  if (current_perturbation().counts_on == 0) this_digest() = {};
  blocks_before = this_digest().blocks;
}

void block_digest::begin_block(checked_block& checked, std::uint64_t number) {
  const warpz_perturbation& perturbation = current_perturbation();
  block_ = checked.current;
  number_ = blocks_before + number;
  this_digest().blocks = std::max(this_digest().blocks, number_ + 1);
  events_ = 0;
  steps_ = 0;
  hash_ = 0;
  comparing_ = perturbation.comparison != WARPZ_COMPARE_NOTHING;
  recorder_.begin_block(*block_);
  counter_.begin_block(*block_, number);
  noting_ = comparing_ || recorder_.is_on() || counter_.is_on();
  record_ = static_cast<block_record*>(perturbation.record);
  recorded_ = perturbation.comparison >= WARPZ_COMPARE_RECORD && number_ == perturbation.block && record_ != nullptr;
  result_differs_ = false;
  changed_.reset();
  if (!recorded_) return;
  recorded_steps_.assign(block_->lane_count(), {});
  steps_done_.assign(block_->lane_count(), 0);
  written_.assign(block_->lane_count(), {});
  if (!compares()) record_->clear();
  for (std::uint32_t i = 0; i < record_->step_count(); ++i) {
    const std::uint32_t thread = record_->at(i).thread;
    if (thread < recorded_steps_.size()) recorded_steps_[thread].push_back(i);
  }
}

void block_digest::note_copied(const void* begin, std::size_t bytes) {
  if (current_perturbation().comparison == WARPZ_COMPARE_NOTHING) return;
  std::uint64_t hash = this_digest().copied;
  const char* at = static_cast<const char*>(begin);
  for (; bytes >= sizeof hash; at += sizeof hash, bytes -= sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    hash = mixed(hash, word);
  }
  this_digest().copied = mixed(hash, std::string_view(at, bytes));
}

void block_digest::note_unwritten(std::size_t bytes) { this_digest().unwritten += bytes; }

bool block_digest::compares() const { return current_perturbation().comparison == WARPZ_COMPARE_STEPS; }

void block_digest::end_block() {
  if (recorder_.is_on()) recorder_.end_block();
  if (counter_.is_on()) counter_.end_block();
  this_digest().steps += steps_;
  // A sum, since blocks that wait for each other may end in any order.
  if (comparing_) this_digest().hash += mixed(number_, hash_);
  for (std::uint32_t thread = 0; recorded_ && thread < written_.size(); ++thread) note_written(thread);
  // Steps that are missing are a difference, too.
  for (std::uint32_t thread = 0; recorded_ && compares() && thread < written_.size(); ++thread) {
    const std::vector<std::uint32_t>& before = recorded_steps_[thread];
    if (steps_done_[thread] < before.size()) report_difference(record_->at(before[steps_done_[thread]]));
  }
  if (recorded_ && changed_) report_difference(*changed_);
  if (recorded_ && !compares()) record_->end();
}

void block_digest::begin_collective(warp& home, const pending_collective& met) {
  const lane_mask group = met.arrived;
  const site& at = met.at;
  home_ = &home;
  at_ = at;
  named_ = met.named;
  steps_ += static_cast<unsigned>(__builtin_popcountll(group));
  if (recorder_.is_on()) recorder_.begin_collective(home, met);
  if (counter_.is_on()) counter_.meet(home, met);
  if (!comparing_) return;
  step done{};
  done.hash = mixed(group, at.line);
  if (recorded_) {
    warpz_place place{};
    copy_place(place, at, 0);
    done.place = record_->number_of(place);
  }
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    done.thread = home.lanes[__builtin_ctzll(rest)].thread;
    note(done);
  }
}

void block_digest::note_access(checked_access event) {
  if (recorder_.is_on()) recorder_.note(event);
  if (counter_.is_on()) {
    counter_.note(checked_block::running(),
                  {static_cast<counters::access_form>(event.kind), reinterpret_cast<std::uintptr_t>(event.code) - 1,
                   address_on_gpu(*event.memory, event.address), event.size, is_shared(*event.memory)});
  }
  if (!comparing_) return;
  step done{};
  const region& memory = *event.memory;
  done.hash = mixed(mixed(event.address - memory.begin, event.size),
                    std::uint64_t{memory.argument} << 16 | memory.kind << 8 | static_cast<unsigned>(event.kind));
  done.code = reinterpret_cast<std::uintptr_t>(event.code) - 1 - code_base;
  done.thread = event.clock.thread;
  done.bytes = static_cast<std::uint32_t>(event.size);
  done.access = event.kind;
  note(done);
  if (recorded_ && writes(event.kind)) {
    written_[done.thread] = {reinterpret_cast<const char*>(event.address), event.size};
  }
}

void block_digest::begin_vector(const region& memory, std::uintptr_t address, std::uint64_t alignment,
                                bool is_written) {
  counter_.begin_vector(checked_block::running(), address_on_gpu(memory, address), alignment, is_written);
}

void block_digest::note(const step& done) {
  hash_ = mixed(hash_ ^ done.thread, done.hash);
  const warpz_perturbation& perturbation = current_perturbation();
  if (perturbation.max_steps != 0 && steps_ > perturbation.max_steps) stop_kernel();
  if (!recorded_) return;
  note_written(done.thread);
  std::vector<std::uint32_t>& before = recorded_steps_[done.thread];
  const std::size_t number = steps_done_[done.thread]++;
  if (!compares()) {
    if (record_->is_full()) return;
    before.push_back(static_cast<std::uint32_t>(record_->step_count()));
    record_->add(done);
  } else if (number < before.size() ? record_->at(before[number]).hash != done.hash : record_->is_whole()) {
    // If it is the next step in the record, the step before it is missing.
    const bool is_next = number + 1 < before.size() && record_->at(before[number + 1]).hash == done.hash;
    report_difference(is_next ? record_->at(before[number]) : done);
  }
}

/// The value of the thread's last step exists now. Returns that step, if the record has another value.
const step* block_digest::differing_value(std::uint32_t thread, std::uint64_t value) {
  const std::vector<std::uint32_t>& steps = recorded_steps_[thread];
  const std::size_t number = steps_done_[thread];
  if (number == 0 || number > steps.size()) return nullptr;
  step& last = record_->at(steps[number - 1]);
  if (!compares()) {
    last.value = value;
    last.has_value = true;
    return nullptr;
  }
  // Only for variables does the finding follow the value from lane to lane; otherwise it names the other lane already.
  const warpz_finding& found = this_digest().last;
  const bool is_variable = found.group_count != 0 && found.groups[0].state == WARPZ_LANE_NEVER_SET;
  return is_variable && last.has_value && last.value != value ? &last : nullptr;
}

/// A write is noted before it happens: what it wrote shows at the thread's next step.
void block_digest::note_written(std::uint32_t thread) {
  const std::string_view bytes = std::exchange(written_[thread], {});
  if (bytes.empty()) return;
  const step* const before = differing_value(thread, mixed(steps_done_[thread], bytes));
  if (before == nullptr) return;
  if (!is_atomic(before->access)) {
    report_difference(*before);
  } else if (!changed_) {
    // Its result depends on other lanes, which may be the ones that differ.
    changed_ = *before;
  }
}

void block_digest::note_results(const warp& home, lane_mask group) {
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
    const std::uint32_t thread = home.lanes[lane].thread;
    if (differing_value(thread, home.operands.result[lane]) == nullptr || std::exchange(result_differs_, true))
      continue;
    warpz_finding& record = this_digest().last;
    copy_place(add_group(record, thread, WARPZ_LANE_TOOK).place, at_, named_ == ~lane_mask{0} ? 0 : named_);
  }
}

/// Only the first difference: later ones may follow from it.
void block_digest::report_difference(const step& done) {
  recorded_ = false;
  warpz_finding& finding = this_digest().last;
  if (finding.group_count == 0) return;
  if (done.code == 0) {
    add_group(finding, done.thread, WARPZ_LANE_WAITING).place = record_->place(done.place);
    return;
  }
  warpz_lane_group& group = add_group(finding, done.thread, state_of(done.access));
  group.bytes = done.bytes;
  group.code = code_base + done.code;
}

warpz_lane_group& block_digest::add_group(warpz_finding& record, std::uint32_t thread, warpz_lane_state state) const {
  warpz_lane_group& group = record.groups[record.group_count++];
  const index3 at = block_->block_idx();
  group = {};
  group.block[0] = at.x;
  group.block[1] = at.y;
  group.block[2] = at.z;
  group.warp = thread / block_->warp_size();
  group.lanes = lane_mask{1} << thread % block_->warp_size();
  group.state = state;
  return group;
}

/// The next undefined value. `mark_of_place` is called only if needed: it takes longer than all the rest.
template <class Mark>
block_digest::event_value block_digest::next_event(const Mark& mark_of_place) {
  const warpz_perturbation& perturbation = current_perturbation();
  const std::uint32_t event = events_++;
  ++this_digest().events;
  this_digest().max_events = std::max(this_digest().max_events, events_);
  const bool is_perturbed =
      number_ < perturbation.block || (number_ == perturbation.block && event < perturbation.event);
  if (!is_perturbed) return {~perturbation.undefined, false};
  constexpr std::uint32_t different_events = 64;
  // Each of the numbers below that once. Those of some lanes would cancel out in an exclusive or if they were in order.
  const std::uint64_t number = std::uint64_t{event} * (event + std::uint64_t{1}) / 2 % different_events;
  const std::uint64_t poison = ~perturbation.poison ^ number * perturbation.spread;
  const bool is_last = number_ == perturbation.block && event + 1 == perturbation.event;
  if (perturbation.left_out_count == 0 && !is_last) return {poison, false};
  const std::uint64_t mark = mark_of_place();
  const std::uint64_t* const end =
      perturbation.left_out + std::min<std::uint32_t>(perturbation.left_out_count, WARPZ_MAX_PLACES_LEFT_OUT);
  if (std::find(perturbation.left_out, end, mark) != end) return {~perturbation.undefined, false};
  if (is_last) {
    this_digest().mark = mark;
    warpz_finding& record = this_digest().last;
    record.kind = WARPZ_UNDEFINED_LANE_VALUE;
    copy_launch(record, *block_);
  }
  return {poison, is_last};
}

std::uint64_t block_digest::undefined_result(unsigned lane, unsigned source) {
  if (recorder_.is_probing()) return lane_recorder::absent(source);
  const event_value value = next_event([this] { return mark_of(at_); });
  if (value.is_last) {
    warpz_finding& record = this_digest().last;
    const std::uint32_t first = home_->index * block_->warp_size();
    copy_place(add_group(record, first + lane, WARPZ_LANE_TOOK).place, at_, named_ == ~lane_mask{0} ? 0 : named_);
    const lane_mask from = lane_mask{1} << source;
    add_group(record, first + source,
              (home_->present & from) == 0 ? WARPZ_LANE_ABSENT
              : (named_ & from) == 0       ? WARPZ_LANE_NOT_NAMED
                                           : WARPZ_LANE_EXITED);
  }
  return value.bits;
}

std::uint64_t block_digest::unset_value(std::uint32_t thread, std::uint64_t mark, const void* code,
                                        const char* operation) {
  const event_value value = next_event([mark] { return mark; });
  if (value.is_last) {
    warpz_finding& record = this_digest().last;
    std::snprintf(record.message, sizeof record.message, "%s",
                  operation == nullptr ? "a lane uses a variable that was never set"
                                       : "a lane uses memory that it has allocated and never written");
    warpz_lane_group& group = add_group(record, thread, WARPZ_LANE_NEVER_SET);
    group.code = reinterpret_cast<std::uintptr_t>(code) - 1;
    if (operation != nullptr) copy_place(group.place, {operation, "", 0}, 0);
  }
  return value.bits;
}

}  // namespace simt::check

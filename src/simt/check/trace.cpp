// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/trace.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "simt/check/reports.hpp"
#include "simt/machine/findings.hpp"

namespace simt::check {
namespace {

const warpz_perturbation& current_perturbation() { return current_settings().perturbation; }

/// Where nobody asks for it.
warpz_trace dropped;

/// Of earlier launches.
std::uint64_t blocks_before = 0;

warpz_trace& this_trace() {
  warpz_trace* const asked = current_sink().trace;
  return asked != nullptr ? *asked : dropped;
}

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  // The finalizer of SplitMix64.
  std::uint64_t z = a * 0x9e3779b97f4a7c15 + b;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

std::uint64_t mixed(std::uint64_t into, std::string_view bytes) {
  for (const char each : bytes) into = mixed(into, static_cast<unsigned char>(each));
  return into;
}

/// The same in every process, whatever lies where.
std::uint64_t mark_of(const site& at) { return mixed(mixed(at.line, at.file), at.operation); }

}  // namespace

std::uint32_t state_of(doing what) {
  if (is_atomic(what)) return WARPZ_LANE_ATOMIC;
  return writes(what) && what != doing::read_and_write ? WARPZ_LANE_WROTE : WARPZ_LANE_READ;
}

void block_trace::begin_launch() {
  if (current_perturbation().counts_on == 0) this_trace() = {};
  blocks_before = this_trace().blocks;
}

void block_trace::begin_block(const block& of, std::uint64_t number) {
  const warpz_perturbation& perturbation = current_perturbation();
  block_ = &of;
  number_ = blocks_before + number;
  this_trace().blocks = std::max(this_trace().blocks, number_ + 1);
  events_ = 0;
  steps_ = 0;
  digest_ = 0;
  tracing_ = perturbation.tracing != WARPZ_TRACE_NOTHING;
  kept_ = static_cast<record*>(perturbation.record);
  recorded_ = perturbation.tracing >= WARPZ_TRACE_RECORD && number_ == perturbation.block && kept_ != nullptr;
  result_differs_ = false;
  changed_.reset();
  if (!recorded_) return;
  recorded_steps_.assign(of.lane_count(), {});
  steps_done_.assign(of.lane_count(), 0);
  written_.assign(of.lane_count(), {});
  if (!compares()) kept_->clear();
  for (std::uint32_t i = 0; i < kept_->step_count(); ++i) {
    const std::uint32_t thread = kept_->at(i).thread;
    if (thread < recorded_steps_.size()) recorded_steps_[thread].push_back(i);
  }
}

bool block_trace::compares() const { return current_perturbation().tracing == WARPZ_TRACE_COMPARE; }

void block_trace::end_block() {
  this_trace().steps += steps_;
  // A sum: blocks that wait for each other may end in any order.
  if (tracing_) this_trace().digest += mixed(number_, digest_);
  for (std::uint32_t thread = 0; recorded_ && thread < written_.size(); ++thread) note_written(thread);
  // What a lane has not done at all differs, too.
  for (std::uint32_t thread = 0; recorded_ && compares() && thread < written_.size(); ++thread) {
    const std::vector<std::uint32_t>& before = recorded_steps_[thread];
    if (steps_done_[thread] < before.size()) differs(kept_->at(before[steps_done_[thread]]));
  }
  if (recorded_ && changed_) differs(*changed_);
  if (recorded_ && !compares()) kept_->end();
}

void block_trace::meet(warp& of, lane_mask group, lane_mask named, const site& at) {
  meeting_ = &of;
  at_ = at;
  named_ = named;
  steps_ += static_cast<unsigned>(__builtin_popcountll(group));
  if (!tracing_) return;
  step done{};
  done.what = mixed(group, at.line);
  if (recorded_) {
    warpz_place place{};
    copy_place(place, at, 0);
    done.place = kept_->number_of(place);
  }
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    done.thread = of.lanes[__builtin_ctzll(rest)].thread;
    note(done);
  }
}

void block_trace::note_access(std::uint32_t thread, const region& in, std::uintptr_t address, std::size_t bytes,
                              doing what, const void* code) {
  step done{};
  done.what = mixed(mixed(address - in.begin, bytes),
                    std::uint64_t{in.argument} << 16 | in.kind << 8 | static_cast<unsigned>(what));
  done.code = reinterpret_cast<std::uintptr_t>(code) - 1 - code_base;
  done.thread = thread;
  done.bytes = static_cast<std::uint32_t>(bytes);
  done.access = what;
  note(done);
  if (recorded_ && writes(what)) written_[thread] = {reinterpret_cast<const char*>(address), bytes};
}

void block_trace::note(const step& done) {
  digest_ = mixed(digest_ ^ done.thread, done.what);
  const warpz_perturbation& perturbation = current_perturbation();
  if (perturbation.max_steps != 0 && steps_ > perturbation.max_steps) stop_kernel();
  if (!recorded_) return;
  note_written(done.thread);
  std::vector<std::uint32_t>& before = recorded_steps_[done.thread];
  const std::size_t number = steps_done_[done.thread]++;
  if (!compares()) {
    if (kept_->is_full()) return;
    before.push_back(static_cast<std::uint32_t>(kept_->step_count()));
    kept_->add(done);
  } else if (number < before.size() ? kept_->at(before[number]).what != done.what : kept_->is_whole()) {
    // Is it what came next in the record, too? Then it is the step before that is left out.
    const bool is_next = number + 1 < before.size() && kept_->at(before[number + 1]).what == done.what;
    differs(is_next ? kept_->at(before[number]) : done);
  }
}

/// The value of the thread's last step has come. That step, where the record has another value.
const step* block_trace::differing_value(std::uint32_t thread, std::uint64_t value) {
  const std::vector<std::uint32_t>& steps = recorded_steps_[thread];
  const std::size_t number = steps_done_[thread];
  if (number == 0 || number > steps.size()) return nullptr;
  step& last = kept_->at(steps[number - 1]);
  if (!compares()) {
    last.value = value;
    last.has_value = true;
    return nullptr;
  }
  // What comes from another lane, and where it then goes, is told of variables alone: the other lane is known.
  const warpz_finding& told = this_trace().last;
  const bool is_variable = told.group_count != 0 && told.groups[0].state == WARPZ_LANE_NEVER_SET;
  return is_variable && last.has_value && last.value != value ? &last : nullptr;
}

/// What a thread writes is there only when it does the next thing.
void block_trace::note_written(std::uint32_t thread) {
  const std::string_view bytes = std::exchange(written_[thread], {});
  if (bytes.empty()) return;
  const step* const before = differing_value(thread, mixed(steps_done_[thread], bytes));
  if (before == nullptr) return;
  if (!is_atomic(before->access)) {
    differs(*before);
  } else if (!changed_) {
    // What it comes to depends on what other lanes have done: they may be those that differ.
    changed_ = *before;
  }
}

void block_trace::note_results(const warp& of, lane_mask group) {
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
    const std::uint32_t thread = of.lanes[lane].thread;
    if (differing_value(thread, of.operands.result[lane]) == nullptr || std::exchange(result_differs_, true)) continue;
    warpz_finding& record = this_trace().last;
    copy_place(add_group(record, thread, WARPZ_LANE_TOOK).place, at_, named_ == ~lane_mask{0} ? 0 : named_);
  }
}

/// The first time only: all that follows may follow from it.
void block_trace::differs(const step& done) {
  recorded_ = false;
  warpz_finding& into = this_trace().last;
  if (into.group_count == 0) return;
  if (done.code == 0) {
    add_group(into, done.thread, WARPZ_LANE_WAITING).place = kept_->place(done.place);
    return;
  }
  warpz_lane_group& group = add_group(into, done.thread, static_cast<warpz_lane_state>(state_of(done.access)));
  group.bytes = done.bytes;
  group.code = code_base + done.code;
}

warpz_lane_group& block_trace::add_group(warpz_finding& record, std::uint32_t thread, warpz_lane_state state) const {
  warpz_lane_group& group = record.groups[record.group_count++];
  const index3 at = block_->block_idx();
  group = {};
  group.block[0] = at.x;
  group.block[1] = at.y;
  group.block[2] = at.z;
  group.warp = thread / block_->lanes_per_warp();
  group.lanes = lane_mask{1} << thread % block_->lanes_per_warp();
  group.state = state;
  return group;
}

/// The next undefined value. To find the mark of its place takes longer than the rest.
template <class Mark>
block_trace::event_value block_trace::next_event(const Mark& mark_of_place) {
  const warpz_perturbation& perturbation = current_perturbation();
  const std::uint32_t event = events_++;
  ++this_trace().events;
  this_trace().max_events = std::max(this_trace().max_events, events_);
  const bool is_before = number_ < perturbation.block || (number_ == perturbation.block && event < perturbation.event);
  if (!is_before) return {~perturbation.undefined, false};
  const bool is_last = number_ == perturbation.block && event + 1 == perturbation.event;
  if (perturbation.left_out_count == 0 && !is_last) return {~perturbation.poison, false};
  const std::uint64_t mark = mark_of_place();
  const std::uint64_t* const end =
      perturbation.left_out + std::min<std::uint32_t>(perturbation.left_out_count, WARPZ_MAX_PLACES_LEFT_OUT);
  if (std::find(perturbation.left_out, end, mark) != end) return {~perturbation.undefined, false};
  if (is_last) {
    this_trace().mark = mark;
    warpz_finding& record = this_trace().last;
    record.kind = WARPZ_UNDEFINED_LANE_VALUE;
    std::snprintf(record.kernel, sizeof record.kernel, "%s", block_->request().name);
  }
  return {~perturbation.poison, is_last};
}

std::uint64_t block_trace::undefined_result(unsigned lane, unsigned source) {
  const event_value value = next_event([this] { return mark_of(at_); });
  if (value.is_last) {
    warpz_finding& record = this_trace().last;
    const std::uint32_t first = meeting_->index * block_->lanes_per_warp();
    copy_place(add_group(record, first + lane, WARPZ_LANE_TOOK).place, at_, named_ == ~lane_mask{0} ? 0 : named_);
    const lane_mask from = lane_mask{1} << source;
    add_group(record, first + source,
              (meeting_->present & from) == 0 ? WARPZ_LANE_ABSENT
              : (named_ & from) == 0          ? WARPZ_LANE_NOT_NAMED
                                              : WARPZ_LANE_EXITED);
  }
  return value.bits;
}

std::uint64_t block_trace::unset_value(std::uint32_t thread, std::uint64_t mark, const void* code) {
  const event_value value = next_event([mark] { return mark; });
  if (value.is_last) {
    warpz_finding& record = this_trace().last;
    std::snprintf(record.message, sizeof record.message, "a lane uses a variable that was never set");
    add_group(record, thread, WARPZ_LANE_NEVER_SET).code = reinterpret_cast<std::uintptr_t>(code) - 1;
  }
  return value.bits;
}

}  // namespace simt::check

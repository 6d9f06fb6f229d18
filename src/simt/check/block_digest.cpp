// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/block_digest.hpp"

#include <algorithm>
#include <utility>

#include "simt/check/launch_digest.hpp"
#include "simt/check/reports.hpp"
#include "simt/machine/findings.hpp"

namespace simt::check {
namespace {

using launch_digest::mixed;

const warpz_perturbation& current_perturbation() { return current_settings().perturbation; }

}  // namespace

void block_digest::begin_block(checked_block& checked, std::uint64_t number) {
  const warpz_perturbation& perturbation = current_perturbation();
  block_ = checked.current;
  number_ = launch_digest::block_number(number);
  launch_digest::current().blocks = std::max(launch_digest::current().blocks, number_ + 1);
  steps_ = 0;
  hash_ = 0;
  comparing_ = perturbation.comparison != WARPZ_COMPARE_NOTHING;
  checked.is_recorded |= comparing_;
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

bool block_digest::compares() const { return current_perturbation().comparison == WARPZ_COMPARE_STEPS; }

void block_digest::end_block() {
  launch_digest::current().steps += steps_;
  // A sum, since blocks that wait for each other may end in any order.
  if (comparing_) launch_digest::current().hash += mixed(number_, hash_);
  for (std::uint32_t thread = 0; recorded_ && thread < written_.size(); ++thread) note_written(thread);
  // Steps that are missing are a difference, too.
  for (std::uint32_t thread = 0; recorded_ && compares() && thread < written_.size(); ++thread) {
    const std::vector<std::uint32_t>& before = recorded_steps_[thread];
    if (steps_done_[thread] < before.size()) report_difference(record_->at(before[steps_done_[thread]]));
  }
  if (recorded_ && changed_) report_difference(*changed_);
  if (recorded_ && !compares()) record_->end();
}

void block_digest::begin_collective(warp& current_warp, const pending_collective& met) {
  const lane_mask group = met.arrived;
  const site& at = met.at;
  steps_ += static_cast<unsigned>(__builtin_popcountll(group));
  if (!comparing_) return;
  step done{};
  done.hash = mixed(group, at.line);
  if (recorded_) {
    warpz_place place{};
    copy_place(place, at, 0);
    done.place = record_->number_of(place);
  }
  for (lane_mask rest = group; rest != 0; rest &= rest - 1) {
    done.thread = current_warp.lanes[lowest(rest)].thread;
    note(done);
  }
}

void block_digest::note_access(checked_access event) {
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

void block_digest::note_number(std::uint32_t thread, std::uint64_t number, const void* code) {
  ++steps_;
  if (!comparing_) return;
  step done{};
  done.hash = mixed(number, 0);
  done.code = reinterpret_cast<std::uintptr_t>(code) - 1 - code_base;
  done.thread = thread;
  note(done);
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
  const warpz_finding& found = launch_digest::current().last;
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

void block_digest::note_results(const warp& current_warp, const pending_collective& met) {
  for (lane_mask rest = met.arrived; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest(rest);
    const std::uint32_t thread = current_warp.lanes[lane].thread;
    if (differing_value(thread, current_warp.operands.result[lane]) == nullptr || std::exchange(result_differs_, true))
      continue;
    copy_place(add_lane(launch_digest::current().last, *block_, thread, WARPZ_LANE_TOOK).place, met);
  }
}

/// Only the first difference: later ones may follow from it.
void block_digest::report_difference(const step& done) {
  recorded_ = false;
  warpz_finding& finding = launch_digest::current().last;
  if (finding.group_count == 0) return;
  if (done.code == 0) {
    add_lane(finding, *block_, done.thread, WARPZ_LANE_WAITING).place = record_->place(done.place);
    return;
  }
  const warpz_lane_state state = done.bytes == 0 ? WARPZ_LANE_RUNNING : state_of(done.access);
  warpz_lane_group& group = add_lane(finding, *block_, done.thread, state);
  group.bytes = done.bytes;
  group.code = code_base + done.code;
}

}  // namespace simt::check

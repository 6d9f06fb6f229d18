// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/block.hpp"

#include <sched.h>

#include <optional>

#include "simt/machine/findings.hpp"

__thread simt::coordinates threadIdx{0, 0, 0};
__thread simt::coordinates blockIdx{0, 0, 0};
__thread simt::coordinates blockDim{0, 0, 0};
__thread simt::coordinates gridDim{0, 0, 0};

namespace simt {

__thread lane* this_lane = nullptr;
int current_warp_size = 32;
bool steps_are_recorded = false;

namespace {

fiber& fiber_of(lane* self) { return *static_cast<fiber*>(self); }
block& block_of(const lane* self) { return *self->warp->block; }

/// The first function on a lane's stack.
void start_lane(lane* /*from*/, lane* self) {
#ifdef SIMT_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  detail::run_as(self);
  run_lane([] {
    const launch_request& request = block_of(this_lane).request();
    request.entry(request.arguments);
  });
}

/// Lets other observed blocks go on, and a further one begin, in an order that does not depend on time; false: there
/// are none.
bool pass_turn() {
  const std::uint64_t arrivals = observed_block().arrivals();
  if (begin_another_block()) observed_block().wait_for_arrival(arrivals);
  return observed_block().pass();
}

}  // namespace

void block::run(index3 block_idx, std::uint64_t number) {
  block_idx_ = block_idx;
  ++serial_;
  at_barrier_ = 0;
  turns_.store(0, std::memory_order_relaxed);
  spins_.store(0, std::memory_order_relaxed);
  for (unsigned w = 0; w < warp_count_; ++w) {
    warp& each = warps_[w];
    each.ready = each.present;
    each.exited = each.at_barrier = each.yielded = 0;
    each.collective_count = each.active_patience = each.yield_count = each.yielded_to = 0;
    each.collectives_begun = 0;
    each.batch_joins_below = each.batch_returns_below = nullptr;
  }
  order_.begin(settings_.perturbation, number);
  if (order_.has_decisions()) {
    decisions_.begin(*static_cast<warpz_schedule_record*>(settings_.perturbation.decisions),
                     settings_.perturbation.schedule != 0, {request_->number, false, number, grid_dim_, warp_size_},
                     lane_count_);
  }
  detail::set(blockIdx, block_idx_);
  detail::set(blockDim, block_dim_);
  detail::set(gridDim, grid_dim_);
  if (observer_ != nullptr) observer_->begin_block(*this, number);
  if (loops_ != nullptr) return run_loops();
  if (!stacks_prepared_) {
    for (unsigned i = 0; i < lane_count_; ++i) stacks_.prepare(i, fibers_[i], start_lane);
    stacks_prepared_ = true;
  }
  this_lane = &main_;
  detail::switch_to(decide(&fibers_[0], order_.descends() ? any_in_other_warps(0) : any_lane(warps_[0])));
  this_lane = nullptr;
  if (observer_ != nullptr && !observer_->end_block()) abandon_launch();
}

void block::leave_trial() {
  if (in_trial_) detail::switch_to(abandon_launch());
}

void end_lane() {
  block_of(this_lane).renew_stacks();
  detail::stop_at_return();
  __builtin_unreachable();  // the next block begins on a new stack
}

void leave_trial() {
  // A thread's own stack belongs to no warp.
  if (this_lane != nullptr && this_lane->warp != nullptr) block_of(this_lane).leave_trial();
}

lane* block::arrive(fiber& self, collective_op op, participants who, const site& at, const void* code) {
  if (who.source == participants::mask_source::none && takes_active_lanes()) {
    return arrive_active(self, op, at, who.source, code);
  }
  warp& current_warp = *self.warp;
  current_warp.flush_batch(self);
  const lane_mask me = bit(self.lane_id), wanted = wanted_by(self, who.lanes);
  if ((wanted & me) == 0) {
    report_wrong_mask(*this, self, who.lanes, at);
    return abandon_launch();
  }
  note_point(self, at);
  current_warp.ready &= ~me;
  pending_collective* joined = current_warp.find(wanted, op, at);
  if (joined == nullptr) {
    joined = &current_warp.collectives[current_warp.collective_count++];
    const bool ignores_returned =
        settings_.rules == WARPZ_RULES_NVIDIA && who.source != participants::mask_source::contract;
    // One by one: compilers put the whole together elsewhere and copy it.
    joined->op = op;
    joined->at = at;
    joined->wanted = wanted;
    joined->arrived = 0;
    joined->serial = ++current_warp.collectives_begun;
    joined->named = who.lanes;
    joined->source = who.source;
    joined->ignores_returned = ignores_returned;
    joined->code = nullptr;
  }
  joined->arrived |= me;
  if (joined->complete(current_warp.exited)) return complete_collective(current_warp, *joined);
  const bool may_batch = joined == current_warp.collectives && wanted == (joined->named & current_warp.present);
  return may_batch ? begin_batch(self, wanted, current_warp.batch_joins_below) : next_lane(self);
}

lane* block::arrive_barrier(fiber& self, combine mode, const site& at) {
  warp& current_warp = *self.warp;
  current_warp.flush_batch(self);
  const lane_mask me = bit(self.lane_id);
  self.last = at;
  note_point(self, at);
  combine_ = mode;
  current_warp.ready &= ~me;
  current_warp.at_barrier |= me;
  ++at_barrier_;
  return next_lane(self);
}

/// Counts a scheduling point. False if the launch has been abandoned.
bool block::count_spin() {
  const std::uint64_t spins = increment(spins_);
  // After so many scheduling points the block waits for another one, which may need this core. The only block of a grid
  // waits for its own lanes: beside another process it would lose a time slice with each yield. If it waits for another
  // stream's block after all, the system preempts it.
  if (spins <= surely_waiting || spins % spins_in_a_row != 0) return true;
  if (in_trial_) {
    abandon_launch();
    return false;
  }
  if (!(takes_turns_ && pass_turn()) && !alone_) sched_yield();
  return !is_abandoned_->load(std::memory_order_relaxed);
}

lane* block::arrive_yield(fiber& self, const site& at) {
  warp& current_warp = *self.warp;
  current_warp.flush_batch(self);
  self.last = at;
  note_point(self, at, self.last_code);
  current_warp.yielded |= bit(self.lane_id);
  if (!count_spin()) return &main_;
  // Lanes that wait to learn who is active must not wait for ever for a lane that spins.
  constexpr unsigned patience = 1024;
  if (current_warp.collective_count != 0 && ++current_warp.active_patience > patience) resolve_active(current_warp);

  const lane_mask behind = order_.behind(current_warp.ready, self.lane_id);
  lane* const chosen = order_.is_random() ? any_lane(current_warp)
                       : behind != 0      ? &current_warp.lanes[order_.lane_of(behind)]
                                          : any_in_other_warps(current_warp.index);
  if (!order_.has_decisions()) return chosen;
  const lane_mask above = current_warp.ready & ~first_lanes(self.lane_id + 1);
  return decide(above != 0 ? &current_warp.lanes[lowest(above)] : first_behind(current_warp.index), chosen);
}

lane* block::arrive_access(fiber& self, const void* code) {
  constexpr unsigned accesses_between = 16;
  note_point(self, {}, code);
  lane* chosen = &self;
  if (order_.is_random()) {
    if (order_.below(accesses_between) == 0) chosen = any_lane(*self.warp);
  } else if (order_.is_lockstep()) {
    const lane_mask behind = order_.behind(self.warp->ready, self.lane_id);
    chosen = &self.warp->lanes[order_.lane_of(behind != 0 ? behind : self.warp->ready)];
  }
  return decide(&self, chosen);
}

void block::note_access(fiber& self, std::uintptr_t address, access_effect effect) {
  if (observer_ != nullptr) observer_->note_access(self, address, effect);
  if (effect == access_effect::looked && self.remember(address * 0x9e3779b97f4a7c15)) return;
  if (effect == access_effect::changed) increment(changes_);
  spins_.store(0, std::memory_order_relaxed);
}

lane* block::exit_lane(fiber& self) {
  warp& current_warp = *self.warp;
  current_warp.flush_batch(self);
  const lane_mask me = bit(self.lane_id);
  current_warp.ready &= ~me;
  current_warp.exited |= me;
  note_point(self, {});
  if (current_warp.collective_count == 0)
    return begin_batch(self, current_warp.ready, current_warp.batch_returns_below);
  release_waiters_for_returned(current_warp);
  return next_lane(self);
}

/// Resolves the collectives that waited only for lanes that have now returned.
void block::release_waiters_for_returned(warp& current_warp) {
  for (unsigned i = 0; i < current_warp.collective_count;) {
    pending_collective& each = current_warp.collectives[i];
    if (each.ignores_returned && each.complete(current_warp.exited)) {
      resolve(current_warp, each);
    } else {
      ++i;
    }
  }
}

/// The lane that runs after this one, which has to wait: mostly the next one of its warp.
lane* block::next_lane(fiber& from) {
  warp& current_warp = *from.warp;
  // A branch, which the processor predicts: so the next lane's address need not wait for the mask, which was just
  // written.
  const lane_mask lowest_ready = current_warp.ready & -current_warp.ready, next = bit(from.lane_id) << 1;
  if (lowest_ready == next && next != 0 && order_.is_ascending()) return &from + 1;
  return current_warp.ready != 0 ? choose_lane(current_warp) : leave_warp(current_warp);
}

/// Opens a batch, and returns the lane that runs after this one: the ready lanes of `alike` that follow may do as this
/// one did. The last of them leaves the batch and records what the others did. `batch_end` is the warp's end of such
/// batches.
lane* block::begin_batch(fiber& from, lane_mask alike, const fiber*& batch_end) {
  warp& current_warp = *from.warp;
  const unsigned next = from.lane_id + 1;
  if (current_warp.ready != 0 && lowest(current_warp.ready) == next && order_.is_ascending()) {
    current_warp.batch_begin = next;
    batch_end = &from + lowest(~((current_warp.ready & alike) >> next));
  }
  return next_lane(from);
}

/// A ready lane of this warp, which has one; where the order is permuted, at times of another warp.
lane* block::choose_lane(warp& current_warp) {
  if (order_.is_ascending()) return &current_warp.lanes[lowest(current_warp.ready)];
  lane* const chosen = any_lane(current_warp);
  return order_.has_decisions() ? decide(&current_warp.lanes[lowest(current_warp.ready)], chosen) : chosen;
}

/// The same, without decisions.
lane* block::any_lane(warp& current_warp) {
  constexpr unsigned choices_in_a_warp = 4;
  if (order_.is_random() && order_.below(choices_in_a_warp) == 0) return any_in_other_warps(current_warp.index);
  return &current_warp.lanes[order_.lane_of(current_warp.ready)];
}

/// Who goes on where `usual` would in ascending order, and `chosen` by the order of this run.
lane* block::decide(lane* usual, lane* chosen) {
  if (!order_.has_decisions() || chosen == &main_) return chosen;
  const auto is_ready = [this](std::uint32_t thread) {
    const fiber& one = fibers_[thread];
    return (one.warp->ready & bit(one.lane_id)) != 0;
  };
  return &fibers_[decisions_.next(fiber_of(usual).thread, fiber_of(chosen).thread, is_ready)];
}

/// Counts a collective. True after so many that other warps have to run.
bool block::count_turn() { return increment(turns_) % max_collectives_in_a_row == 0; }

/// Resolves a collective whose lanes have all arrived; mostly one of them runs next.
lane* block::complete_collective(warp& current_warp, pending_collective& complete) {
  const lane_mask met_lanes = complete.arrived;
  resolve(current_warp, complete);
  return count_turn() ? yield_turn(current_warp, met_lanes) : choose_lane(current_warp);
}

/// A function of its own, so that runs without an observer need fewer instructions.
void block::resolve_observed(warp& current_warp, const pending_collective& complete) {
  observer_->begin_collective(current_warp, complete);
  complete.op(current_warp.operands, complete.arrived);
  observer_->end_collective(current_warp, complete);
}

/// Computes the results of the lanes that have arrived, and makes them ready.
void block::resolve(warp& current_warp, pending_collective& complete) {
  const pending_collective done = complete;
  complete = current_warp.collectives[--current_warp.collective_count];
  if (observer_ == nullptr) {
    done.op(current_warp.operands, done.arrived);
  } else {
    resolve_observed(current_warp, done);
  }
  current_warp.ready |= done.arrived;
  current_warp.yielded &= ~done.arrived;
}

/// Lanes that only ever meet each other must let others run: lanes of their warp, then other warps.
lane* block::yield_turn(warp& current_warp, lane_mask met_lanes) {
  const lane_mask others = current_warp.ready & ~met_lanes;
  if (others == 0 || ++current_warp.yield_count % 2 == 0) return next_in_other_warps(current_warp.index);
  const lane_mask after = others & ~first_lanes(current_warp.yielded_to + 1);
  current_warp.yielded_to = lowest(after != 0 ? after : others);
  lane* const next = &current_warp.lanes[current_warp.yielded_to];
  return decide(next, next);
}

/// No lane of the warp can run: resolves a collective of active lanes, which waits for just that, or goes to another
/// warp.
lane* block::leave_warp(warp& from) {
  if (from.collective_count != 0) {
    resolve_active(from);
    if (from.ready == 0) {
      report_stuck_warp(*this, from);
      return abandon_launch();
    }
    if (count_turn()) return next_in_other_warps(from.index);
    return choose_lane(from);
  }
  return next_in_other_warps(from.index);
}

/// The first lane that can run in the warps behind `from`, itself the last.
lane* block::next_in_other_warps(unsigned from) {
  lane* const chosen = any_in_other_warps(from);
  return order_.has_decisions() && chosen != &main_ ? decide(first_behind(from), chosen) : chosen;
}

/// That lane in ascending order, where there is one.
lane* block::first_behind(unsigned from) const {
  unsigned w = (from + 1) % warp_count_;
  while (warps_[w].ready == 0) w = (w + 1) % warp_count_;
  return &warps_[w].lanes[lowest(warps_[w].ready)];
}

/// The same by the order of this run, without decisions.
lane* block::any_in_other_warps(unsigned from) {
  if (order_.is_random()) from = order_.below(warp_count_);
  lane_mask live = 0;
  for (unsigned i = 1; i <= warp_count_; ++i) {
    unsigned w = order_.descends() ? from + warp_count_ - i : from + i;
    if (w >= warp_count_) w -= warp_count_;
    if (warps_[w].ready != 0) return &warps_[w].lanes[order_.lane_of(warps_[w].ready)];
    live |= warps_[w].live();
  }
  if (live == 0) return &main_;
  return complete_barrier() ? any_in_other_warps(from) : abandon_launch();
}

/// After a divergence, if the process goes on: ends this block and all others of the launch.
lane* block::abandon_launch() {
  is_abandoned_->store(true, std::memory_order_relaxed);
  return &main_;
}

/// Every live thread waits at a barrier. Lets them pass if it is one barrier; otherwise reports it and returns false.
bool block::complete_barrier() {
  std::optional<site> place;
  bool is_partial = false, have_all_come = true;
  for (unsigned w = 0; w < warp_count_; ++w) {
    const warp& each = warps_[w];
    is_partial = is_partial || (each.at_barrier != 0 && each.exited != 0);
    have_all_come = have_all_come && each.exited == 0;
    const bool is_whole = loops_ != nullptr && loop_states_[w].whole >= 0;
    for (lane_mask rest = each.at_barrier; rest != 0; rest = is_whole ? 0 : rest & (rest - 1)) {
      const site at = place_of(each.lanes[lowest(rest)]);
      if (!place) place = at;
      if (!same(*place, at)) {
        report_stuck_barrier(*this, *place);
        return false;
      }
    }
  }
  const bool asks_all = combine_ == combine::count || combine_ == combine::all || combine_ == combine::any;
  if ((is_partial || (asks_all && !have_all_come)) && settings_.check != WARPZ_CHECK_OFF)
    report_partial_barrier(*this, *place, asks_all);
  increment(changes_);
  if (observer_ != nullptr) observer_->pass_barrier();
  if (combine_ != combine::nothing) combine_predicates();
  for (unsigned w = 0; w < warp_count_; ++w) {
    warp& each = warps_[w];
    each.ready |= each.at_barrier;
    each.yielded &= ~each.at_barrier;
    each.at_barrier = 0;
  }
  at_barrier_ = 0;
  return true;
}

/// Gives each lane at the barrier what all predicates make.
void block::combine_predicates() {
  unsigned holding = 0;
  const auto for_each = [this](auto&& act) {
    for (unsigned w = 0; w < warp_count_; ++w) {
      for (lane_mask rest = warps_[w].at_barrier; rest != 0; rest &= rest - 1) act(warps_[w].operands, lowest(rest));
    }
  };
  for_each([&](const collective_slots& operands, unsigned id) { holding += operands.value[id] != 0 ? 1 : 0; });
  std::uint64_t combined = holding;
  if (combine_ == combine::any) combined = holding != 0 ? 1 : 0;
  if (combine_ == combine::all) combined = holding == at_barrier_ ? 1 : 0;
  for_each([&](collective_slots& operands, unsigned id) { operands.result[id] = combined; });
}

namespace detail {

/// With the parameters of arrive() in their order, so that the call is a jump.
[[gnu::noinline]] static lane* arrive_outside_batch(lane* self, collective_op op, lane_mask named,
                                                    const char* operation, const char* file,
                                                    std::uint64_t line_source_and_type) {
  const auto line = static_cast<unsigned>(line_source_and_type);
  const auto source = static_cast<participants::mask_source>(line_source_and_type >> source_shift & 0xff);
  const auto type = static_cast<value_type>(line_source_and_type >> type_shift & 0xff);
  return block_of(self).arrive(fiber_of(self), op, {named, source}, {operation, file, line, type});
}

/// Lanes that nobody names may be together by their place in the kernel.
[[gnu::noinline]] static lane* arrive_unnamed(lane* self, collective_op op, lane_mask named, const site& at,
                                              const void* code) {
  return block_of(self).arrive(fiber_of(self), op, {named, participants::mask_source::none}, at, code);
}

lane* arrive(lane* self, collective_op op, lane_mask named, const char* operation, const char* file,
             std::uint64_t line_source_and_type) {
  const warp& current_warp = *self->warp;
  const pending_collective& batch = current_warp.collectives[0];
  if (self < current_warp.batch_joins_below && batch.op == op && batch.named == named &&
      batch.at.line == static_cast<unsigned>(line_source_and_type) && batch.at.file == file &&
      batch.at.operation == operation) {
    return &fiber_of(self) + 1;
  }
  const auto source = static_cast<participants::mask_source>(line_source_and_type >> source_shift & 0xff);
  if (source == participants::mask_source::none) {
    const auto type = static_cast<value_type>(line_source_and_type >> type_shift & 0xff);
    return arrive_unnamed(self, op, named, {operation, file, static_cast<unsigned>(line_source_and_type), type},
                          __builtin_return_address(0));
  }
  return arrive_outside_batch(self, op, named, operation, file, line_source_and_type);
}

lane* arrive_active(lane* self, collective_op op, const site& at) {
  return block_of(self).arrive_active(fiber_of(self), op, at);
}

lane* arrive_barrier(lane* self, combine mode, const site& at) {
  return block_of(self).arrive_barrier(fiber_of(self), mode, at);
}

lane* arrive_access(lane* self, const void* code) { return block_of(self).arrive_access(fiber_of(self), code); }

void note_access(lane* self, std::uintptr_t address, access_effect effect) {
  block_of(self).note_access(fiber_of(self), address, effect);
}

lane* arrive_yield(lane* self, const site& at) { return block_of(self).arrive_yield(fiber_of(self), at); }

lane* returned(lane* self) {
  if (self < self->warp->batch_returns_below) return &fiber_of(self) + 1;
  return block_of(self).exit_lane(fiber_of(self));
}

}  // namespace detail
}  // namespace simt

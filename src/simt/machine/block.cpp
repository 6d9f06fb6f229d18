// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/machine/block.hpp"

#include <pthread.h>
#include <sched.h>

#include "simt/check/turn.hpp"
#include "simt/check/watcher.hpp"
#include "simt/machine/findings.hpp"

__thread simt::coordinates threadIdx{0, 0, 0};
__thread simt::coordinates blockIdx{0, 0, 0};
__thread simt::coordinates blockDim{0, 0, 0};
__thread simt::coordinates gridDim{0, 0, 0};

namespace simt {

__thread lane* this_lane = nullptr;
int warp_size = 32;

namespace {

/// Of two operations of the lanes that are there.
bool goes_before(const meeting& a, const meeting& b) {
  const auto by_line = [](const meeting& one) { return one.how == participants::named_by::nothing; };
  if (by_line(a) && by_line(b) && a.at.file == b.at.file) return a.at.line < b.at.line;
  return a.since < b.since;
}

fiber& fiber_of(lane* self) { return *static_cast<fiber*>(self); }
block& block_of(const lane* self) { return *self->home->home; }

/// How a lane's stack begins.
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

}  // namespace

block::block() = default;
block::~block() = default;

bool block::configure(const launch_request& request, unsigned lanes_per_warp) {
  const unsigned lane_count = request.block.x * request.block.y * request.block.z;
  request_ = &request;
  settings_ = current_settings();
  if (settings_.check != WARPZ_CHECK_ALL) {
    watcher_.reset();
  } else if (watcher_ == nullptr) {
    watcher_ = std::make_unique<check::watcher>();
  }
  block_dim_ = request.block;
  grid_dim_ = request.grid;
  alone_ = request.grid.x == 1 && request.grid.y == 1 && request.grid.z == 1;
  lane_count_ = lane_count;
  lanes_per_warp_ = lanes_per_warp;
  stacks_prepared_ = false;
  warp_count_ = (lane_count + lanes_per_warp - 1) / lanes_per_warp;
  if (stacks_.count() < lane_count) {
    if (!stacks_.reserve(lane_count)) return false;
    fibers_ = std::make_unique<fiber[]>(lane_count);
    // Enough for either warp size.
    warps_ = std::make_unique<warp[]>((lane_count + 31) / 32);
  }
  const std::size_t space = watcher_ != nullptr ? check::space_around_shared : 0;
  if (dynamic_shared_bytes_ < request.dynamic_shared_bytes + 2 * space) {
    dynamic_shared_bytes_ = request.dynamic_shared_bytes + 2 * space;
    dynamic_shared_.reset(new char[dynamic_shared_bytes_ + 256]);
  }
  const auto unaligned = reinterpret_cast<std::uintptr_t>(dynamic_shared_.get());
  void* const shared = reinterpret_cast<void*>((unaligned + 255) / 256 * 256 + space);
  for (unsigned w = 0; w < warp_count_; ++w) {
    warps_[w].home = this;
    warps_[w].index = w;
    warps_[w].lanes = &fibers_[w * lanes_per_warp];
    const unsigned lanes_left = lane_count - w * lanes_per_warp;
    warps_[w].present = first_lanes(lanes_left < lanes_per_warp ? lanes_left : lanes_per_warp);
    warps_[w].operands.warp_size = lanes_per_warp;
    warps_[w].operands.present = warps_[w].present;
  }
  index3 thread{0, 0, 0};
  for (unsigned i = 0; i < lane_count; ++i) {
    fiber& each = fibers_[i];
    each.home = &warps_[i / lanes_per_warp];
    each.thread = i;
    each.thread_idx = thread;
    each.lane_id = i % lanes_per_warp;
    each.value = &each.home->operands.value[each.lane_id];
    each.block_idx = &block_idx_;
    each.block_dim = &block_dim_;
    each.grid_dim = &grid_dim_;
    each.block_serial = &serial_;
    each.dynamic_shared = shared;
    each.dynamic_shared_bytes = static_cast<unsigned>(request.dynamic_shared_bytes);
    if (++thread.x == block_dim_.x) {
      thread.x = 0;
      if (++thread.y == block_dim_.y) {
        thread.y = 0;
        ++thread.z;
      }
    }
  }
#ifdef SIMT_ADDRESS_SANITIZER
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  void* low = nullptr;
  pthread_attr_getstack(&attributes, &low, &main_.stack_bytes);
  main_.stack_low = low;
  pthread_attr_destroy(&attributes);
#endif
  return true;
}

void block::release() {
  stacks_.reserve(0);
  fibers_.reset();
  warps_.reset();
}

void block::run(index3 block_idx, std::uint64_t number) {
  block_idx_ = block_idx;
  ++serial_;
  at_barrier_ = 0;
  turns_ = 0;
  yields_.store(0, std::memory_order_relaxed);
  for (unsigned w = 0; w < warp_count_; ++w) {
    warp& each = warps_[w];
    each.ready = each.present;
    each.exited = each.at_barrier = each.yielded = 0;
    each.meeting_count = each.active_patience = each.times_given_way = each.given_way_to = 0;
    each.meetings_begun = 0;
    each.joining_before = each.returning_before = nullptr;
  }
  order_.begin(settings_.perturbation.schedule, number);
  detail::set(blockIdx, block_idx_);
  detail::set(blockDim, block_dim_);
  detail::set(gridDim, grid_dim_);
  if (watcher_ != nullptr) {
    check::turn::of_all().take();
    watcher_->begin_block(*this, static_cast<std::uint32_t>(number));
  }
  if (!stacks_prepared_) {
    for (unsigned i = 0; i < lane_count_; ++i) stacks_.prepare(i, fibers_[i], start_lane);
    stacks_prepared_ = true;
  }
  this_lane = &main_;
  detail::switch_to(choose(warps_[0]));
  this_lane = nullptr;
  if (watcher_ != nullptr) {
    watcher_->end_block();
    check::turn::of_all().pass_on();
  }
}

lane* block::arrive(fiber& self, resolver resolve, participants who, const site& at) {
  if (who.how == participants::named_by::nothing && settings_.rules == WARPZ_RULES_AMD) {
    return arrive_active(self, resolve, at, who.how);
  }
  warp& here = *self.home;
  here.settle(self);
  const lane_mask me = bit(self.lane_id), wanted = wanted_by(self, who.lanes);
  if ((wanted & me) == 0) report_wrong_mask(*this, self, who.lanes, at);
  here.ready &= ~me;
  meeting* with = here.find(wanted, resolve, at);
  if (with == nullptr) {
    with = &here.meetings[here.meeting_count++];
    const bool without_returned = settings_.rules == WARPZ_RULES_NVIDIA && who.how != participants::named_by::contract;
    *with = {resolve, at, wanted, 0, ++here.meetings_begun, who.lanes, who.how, without_returned};
  }
  with->arrived |= me;
  if (with->complete(here.exited)) return all_have_come(here, *with);
  const bool may_sweep = with == here.meetings && wanted == (with->named & here.present);
  return may_sweep ? go_on_in_turn(self, wanted, here.joining_before) : go_on(self);
}

lane* block::arrive_active(fiber& self, resolver resolve, const site& at, participants::named_by how) {
  warp& here = *self.home;
  here.settle(self);
  const lane_mask me = bit(self.lane_id);
  here.ready &= ~me;
  meeting* with = here.find(0, resolve, at);
  if (with == nullptr) {
    with = &here.meetings[here.meeting_count++];
    *with = {resolve, at, 0, 0, ++here.meetings_begun, 0, how, false};
  }
  with->arrived |= me;
  return go_on(self);
}

lane* block::arrive_barrier(fiber& self, combine how, const site& at) {
  warp& here = *self.home;
  here.settle(self);
  const lane_mask me = bit(self.lane_id);
  self.last = at;
  combine_ = how;
  here.ready &= ~me;
  here.at_barrier |= me;
  ++at_barrier_;
  return go_on(self);
}

lane* block::arrive_yield(fiber& self, const site& at) {
  warp& here = *self.home;
  here.settle(self);
  self.last = at;
  here.yielded |= bit(self.lane_id);
  const std::uint64_t passed = yields_.load(std::memory_order_relaxed) + 1;
  yields_.store(passed, std::memory_order_relaxed);
  // So many scheduling points mean waiting; whoever is waited for may need this core. A block that is alone in its grid
  // waits for its own lanes, and beside another program each handing over would cost it a slice of time; where it waits
  // for another stream's, the system takes the core from it all the same.
  if (passed > surely_waiting && passed % 64 == 0) {
    if (watcher_ != nullptr) check::turn::of_all().pass_on();
    if (!alone_) sched_yield();
    if (watcher_ != nullptr) check::turn::of_all().take();
  }
  // Lanes that wait for who is active with them do not wait for ever for one that spins.
  constexpr unsigned patience = 1024;
  if (here.meeting_count != 0 && ++here.active_patience > patience) resolve_active(here);

  if (order_.permutes()) return choose(here);
  const lane_mask after = here.ready & ~first_lanes(self.lane_id + 1);
  return after != 0 ? &here.lanes[lowest(after)] : next_elsewhere(here.index);
}

lane* block::arrive_access(fiber& self) {
  constexpr unsigned accesses_between = 16;
  return order_.permutes() && order_.below(accesses_between) == 0 ? choose(*self.home) : &self;
}

lane* block::exit_lane(fiber& self) {
  warp& here = *self.home;
  here.settle(self);
  const lane_mask me = bit(self.lane_id);
  here.ready &= ~me;
  here.exited |= me;
  if (here.meeting_count == 0) return go_on_in_turn(self, here.ready, here.returning_before);
  let_go_without_returned(here);
  return go_on(self);
}

/// Lets the lanes go on that waited for nobody else but those that have returned now.
void block::let_go_without_returned(warp& here) {
  for (unsigned i = 0; i < here.meeting_count;) {
    meeting& each = here.meetings[i];
    if (each.without_returned && each.complete(here.exited)) {
      finish(here, each);
    } else {
      ++i;
    }
  }
}

/// The machine's own work on what the lanes brought.
void block::compute(warp& of, resolver with, lane_mask group, lane_mask named, const site& at) {
  if (watcher_ != nullptr) {
    watcher_->paused = true;
    watcher_->trace().meet(of, group, named, at);
  }
  with(of.operands, group);
  if (watcher_ != nullptr) {
    watcher_->trace().met(of, group);
    watcher_->paused = false;
  }
}

/// Who runs after this lane, which cannot go on now: mostly the next one of its warp.
lane* block::go_on(fiber& from) {
  warp& here = *from.home;
  // Decided by a branch, which the processor foresees: the lane's address does not wait for the mask, which the lane
  // before has just written.
  const lane_mask lowest_ready = here.ready & -here.ready, next = bit(from.lane_id) << 1;
  if (lowest_ready == next && next != 0 && !order_.permutes()) return &from + 1;
  return here.ready != 0 ? choose(here) : leave_warp(here);
}

/// The same, and those of the lanes behind it that can run and are `alike` may do as it did in a sweep: all but the
/// last of them, which writes down what they did. `before` is the sweep's end in the warp.
lane* block::go_on_in_turn(fiber& from, lane_mask alike, const fiber*& before) {
  warp& here = *from.home;
  const unsigned next = from.lane_id + 1;
  if (here.ready != 0 && lowest(here.ready) == next && !order_.permutes()) {
    here.swept_from = next;
    before = &from + lowest(~((here.ready & alike) >> next));
  }
  return go_on(from);
}

/// A lane of this warp, or of another one where the order is permuted; this one has a lane that can run.
lane* block::choose(warp& here) {
  constexpr unsigned turns_in_a_warp = 4;
  if (order_.permutes() && order_.below(turns_in_a_warp) == 0) return next_elsewhere(here.index);
  return &here.lanes[order_.lane_of(here.ready)];
}

/// Ends a meeting; mostly one of its lanes goes on.
lane* block::all_have_come(warp& here, meeting& complete) {
  const lane_mask together = complete.arrived;
  finish(here, complete);
  return ++turns_ % turns_before_giving_way == 0 ? give_way(here, together) : choose(here);
}

/// All have come: gives each its result, and lets them go on.
void block::finish(warp& where, meeting& complete) {
  const meeting done = complete;
  complete = where.meetings[--where.meeting_count];
  compute(where, done.resolve, done.arrived, done.named, done.at);
  where.ready |= done.arrived;
  where.yielded &= ~done.arrived;
}

/// Lanes that only ever meet each other must let others have their turn: those of their warp, then other warps.
lane* block::give_way(warp& here, lane_mask meeting_lanes) {
  const lane_mask others = here.ready & ~meeting_lanes;
  if (others == 0 || ++here.times_given_way % 2 == 0) return next_elsewhere(here.index);
  const lane_mask after = others & ~first_lanes(here.given_way_to + 1);
  here.given_way_to = lowest(after != 0 ? after : others);
  return &here.lanes[here.given_way_to];
}

/// No lane of the warp can run: resolves what waits for just that, or goes to another warp.
lane* block::leave_warp(warp& from) {
  if (from.meeting_count != 0) {
    resolve_active(from);
    if (from.ready == 0) report_stuck_warp(*this, from);
    if (++turns_ % turns_before_giving_way == 0) return next_elsewhere(from.index);
    return choose(from);
  }
  return next_elsewhere(from.index);
}

/// The first lane that can run in the warps after `from`, itself the last.
lane* block::next_elsewhere(unsigned from) {
  if (order_.permutes()) from = order_.below(warp_count_);
  lane_mask live = 0;
  for (unsigned i = 1; i <= warp_count_; ++i) {
    unsigned w = from + i;
    if (w >= warp_count_) w -= warp_count_;
    if (warps_[w].ready != 0) return &warps_[w].lanes[order_.lane_of(warps_[w].ready)];
    live |= warps_[w].live();
  }
  if (live == 0) return &main_;
  complete_barrier();
  return next_elsewhere(from);
}

/// Lets the lanes go on that wait at the same place for who is active with them, at one place: the one that waits
/// longest. Operations of the lanes that are there come in the order in which they stand in the source: so lanes of
/// both sides of a branch, and those that have left a loop, are together again behind it.
void block::resolve_active(warp& where) {
  where.active_patience = 0;
  meeting* chosen = nullptr;
  for (unsigned i = 0; i < where.meeting_count; ++i) {
    meeting& each = where.meetings[i];
    if (each.wanted == 0 && (chosen == nullptr || goes_before(each, *chosen))) chosen = &each;
  }
  if (chosen != nullptr) finish(where, *chosen);
}

/// Every live thread waits at a barrier: lets them pass if it is the same one.
void block::complete_barrier() {
  const site* place = nullptr;
  unsigned holding = 0;
  for (unsigned w = 0; w < warp_count_; ++w) {
    const warp& each = warps_[w];
    if (each.at_barrier != 0 && each.exited != 0) {
      report_stuck_barrier(*this, "part of a warp has returned from the kernel while the rest waits at a barrier");
    }
    for (lane_mask rest = each.at_barrier; rest != 0; rest &= rest - 1) {
      const unsigned id = lowest(rest);
      const fiber& waiting = each.lanes[id];
      if (place == nullptr) place = &waiting.last;
      if (!same(*place, waiting.last)) report_stuck_barrier(*this, "threads of one block wait at different barriers");
      if (each.operands.value[id] != 0) ++holding;
    }
  }
  if (watcher_ != nullptr) watcher_->barrier();
  std::uint64_t combined = holding;
  if (combine_ == combine::any) combined = holding != 0;
  if (combine_ == combine::all) combined = holding == at_barrier_;
  for (unsigned w = 0; w < warp_count_; ++w) {
    warp& each = warps_[w];
    for (lane_mask rest = each.at_barrier; rest != 0; rest &= rest - 1) each.operands.result[lowest(rest)] = combined;
    each.ready |= each.at_barrier;
    each.yielded &= ~each.at_barrier;
    each.at_barrier = 0;
  }
  at_barrier_ = 0;
}

namespace detail {

/// With the same parameters, so that passing them on is a jump.
[[gnu::noinline]] static lane* arrive_out_of_turn(lane* self, resolver resolve, lane_mask named, const char* operation,
                                                  const char* file, std::uint64_t line_and_how) {
  const auto how = static_cast<participants::named_by>(line_and_how >> 32);
  const auto line = static_cast<unsigned>(line_and_how);
  return block_of(self).arrive(fiber_of(self), resolve, {named, how}, {operation, file, line});
}

lane* arrive(lane* self, resolver resolve, lane_mask named, const char* operation, const char* file,
             std::uint64_t line_and_how) {
  const warp& here = *self->home;
  const meeting& swept = here.meetings[0];
  if (self < here.joining_before && swept.resolve == resolve && swept.named == named &&
      swept.at.line == static_cast<unsigned>(line_and_how) && swept.at.file == file &&
      swept.at.operation == operation) {
    return &fiber_of(self) + 1;
  }
  return arrive_out_of_turn(self, resolve, named, operation, file, line_and_how);
}

lane* arrive_active(lane* self, resolver resolve, const site& at) {
  return block_of(self).arrive_active(fiber_of(self), resolve, at);
}

lane* arrive_barrier(lane* self, combine how, const site& at) {
  return block_of(self).arrive_barrier(fiber_of(self), how, at);
}

lane* arrive_access(lane* self) { return block_of(self).arrive_access(fiber_of(self)); }

lane* arrive_yield(lane* self, const site& at) { return block_of(self).arrive_yield(fiber_of(self), at); }

lane* returned(lane* self) {
  if (self < self->home->returning_before) return &fiber_of(self) + 1;
  return block_of(self).exit_lane(fiber_of(self));
}

}  // namespace detail
}  // namespace simt

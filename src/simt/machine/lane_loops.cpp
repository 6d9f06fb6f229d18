// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a kernel as loops over the lanes of a warp (abi/lane_loops.h): lanes have no stacks of their own.
//
// As long as all lanes of a warp that have not returned are at the same stop, they go on together, and meet at the next
// one by one step. Else each lane goes on by itself, by the rules for lanes on stacks (block.cpp), which also find who
// waits in vain. In both ways lanes stop in the order in which they would on stacks. Where lanes meet only as a block,
// all of it goes on together until some lanes stop elsewhere than others.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <string_view>

#include "simt/machine/block.hpp"

namespace simt {
namespace {

bool has_wide_vectors() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
  return true;
#endif
}

bool is_observed(const warpz_settings& settings) {
  return settings.check == WARPZ_CHECK_ALL || warpz_varies_order(settings.perturbation) ||
         settings.recording.record != nullptr || settings.costs != nullptr;
}

/// What WARPZ_LANES asks for: "stacks" for all launches, "avx2" for loops without AVX-512, or "tell" which way each one
/// takes.
std::string_view chosen_way() {
  static const char* const value = std::getenv("WARPZ_LANES");
  return value != nullptr ? value : "";
}

bool has_avx512() {
#if defined(__x86_64__)
  static const bool all = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                          chosen_way() != "avx2";
  return all;
#else
  return false;
#endif
}

/// Once for each kernel and way: many are launched again and again.
void tell_way(const launch_request& request, const char* obstacle) {
  static auto& told = *new std::set<std::string>;
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  std::string text = std::string("warpz: ") + request.name + ": ";
  text += obstacle == nullptr ? "loops over lanes" : std::string("lanes on stacks: ") + obstacle;
  if (told.insert(text).second) std::fprintf(stderr, "%s\n", text.c_str());
}

site site_of(const warpz_lane_region& stop) {
  return detail::site_of(stop.operation, stop.file, stop.line_source_and_type);
}

participants::mask_source source_of(const warpz_lane_region& stop) {
  return static_cast<participants::mask_source>(stop.line_source_and_type >> detail::source_shift & 0xff);
}

collective_op op_of(const warpz_lane_region& stop) { return reinterpret_cast<collective_op>(stop.op); }

/// Whether all of these lanes have the same.
template <class Value>
bool are_same(const Value* of_lanes, unsigned first, unsigned end) {
  return std::memcmp(of_lanes + first, of_lanes + first + 1, (end - first - 1) * sizeof *of_lanes) == 0;
}

lane_mask lanes_between(unsigned first, unsigned end) { return first_lanes(end) & ~first_lanes(first); }

}  // namespace

bool runs_as_loops(const launch_request& request) {
  const char* obstacle = nullptr;
  if (request.loops == nullptr || is_observed(current_settings())) {
    obstacle = "each access is checked, or the lanes are recorded, or their order varies";
  } else if (request.loops->regions == nullptr) {
    obstacle = request.loops->reason != nullptr ? request.loops->reason
                                                : "it is compiled without optimization, or for a debugger";
  } else if (request.cooperative) {
    obstacle = "blocks of a cooperative launch wait for each other";
  } else if (!has_wide_vectors()) {
    obstacle = "this processor has no AVX2";
  } else if (chosen_way() == "stacks") {
    obstacle = "they are asked for";
  }
  if (chosen_way() == "tell") tell_way(request, obstacle);
  return obstacle == nullptr;
}

bool block::choose_loops() {
  loops_ = request_->as_loops ? request_->loops : nullptr;
  if (loops_ == nullptr) return true;
  const std::size_t bytes = loops_->frame_bytes * (loops_->of_block != 0 ? 1 : warp_count_) + 64;
  if (frame_bytes_ < bytes) {
    frame_bytes_ = 0;
    frames_.reset(new (std::nothrow) char[bytes]);
    if (frames_ == nullptr) return false;
    frame_bytes_ = bytes;
  }
  if (loop_states_.size() < warp_count_) loop_states_.resize(warp_count_);
  if (next_of_threads_.size() < lane_count_) next_of_threads_.resize(lane_count_);
  meeting_ = nullptr;
  in_region_ = false;
  together_ = -1;
  return true;
}

void block::run_loops() {
  for (unsigned w = 0; w < warp_count_; ++w) {
    loop_states_[w].whole = 0;
    loop_states_[w].is_apart = false;
  }
  lane* next = loops_->of_block != 0 ? run_together() : choose_lane(warps_[0]);
  while (next != &main_) next = step(static_cast<fiber&>(*next));
  this_lane = nullptr;
}

/// Runs the lane to its next stop, mostly with its whole warp. Returns the lane that runs next.
lane* block::step(fiber& self) {
  warp& current_warp = *self.warp;
  loop_state& state = loop_states_[current_warp.index];
  const unsigned first = self.lane_id;
  if (!current_warp.in_batch() && current_warp.collective_count == 0 && current_warp.ready == current_warp.live() &&
      lowest(current_warp.ready) == first) {
    const lane_mask others = ~(current_warp.ready >> first);
    const unsigned end = first + (others == 0 ? max_warp_size : lowest(others));
    // Lanes that have passed as many stops are in the same round of each loop, as far as they share its variables.
    if (current_warp.ready == lanes_between(first, end) &&
        (state.whole >= 0 ||
         (are_same(state.region, first, end) && (!state.is_apart || are_same(state.passed, first, end)))))
      return step_together(current_warp, first, end);
  }
  part(current_warp);
  run_region(current_warp, state.region[first], first, first + 1);
  return arrive_at(self, stop_of(self));
}

/// Runs a region for these lanes of a warp.
void block::run_region(warp& current_warp, unsigned region, unsigned first, unsigned end) {
  loop_state& state = loop_states_[current_warp.index];
  const unsigned begin = current_warp.index * warp_size_;
  step_first_ = begin + first;
  if (loops_->of_block != 0) {
    run_threads(region, begin + first, begin + end);
    std::copy(&next_of_threads_[begin + first], &next_of_threads_[begin + first] + (end - first), state.next + first);
    return;
  }
  loop_.frame = frames() + loops_->frame_bytes * current_warp.index;
  loop_.value = current_warp.operands.value;
  loop_.argument = current_warp.operands.argument;
  loop_.result = current_warp.operands.result;
  loop_.named = state.named;
  loop_.next = state.next;
  run_lanes(region, current_warp.lanes, first, end);
}

/// Runs a region for these threads of a block whose lanes are numbered through it.
void block::run_threads(unsigned region, unsigned first, unsigned end) {
  loop_.frame = frames();
  loop_.next = next_of_threads_.data();
  run_lanes(region, fibers_.get(), first, end);
}

void block::run_lanes(unsigned region, fiber* lanes, unsigned first, unsigned end) {
  loop_.arguments = request_->arguments;
  loop_.lanes = reinterpret_cast<char*>(lanes);
  loop_.dynamic_shared = lanes->dynamic_shared;
  loop_.width = block_dim_.x;
  loop_.height = block_dim_.y;
  running_region_ = &loops_->regions[region];
  run_rows(lanes, first, end);
}

/// threadIdx.x counts up in a row of the block only: the first one, the whole ones behind it, and what is left.
void block::run_rows(fiber* lanes, unsigned first, unsigned end) {
  const bool run_wide = has_avx512() && running_region_->run_wide != nullptr;
  while (first < end) {
    fiber& beginning = lanes[first];
    const unsigned row_end = std::min(end, first + block_dim_.x - beginning.thread_idx.x);
    const unsigned more_rows = (end - row_end) / block_dim_.x;
    detail::run_as(&beginning);
    loop_.first = first;
    loop_.end = row_end;
    loop_.rows = 1 + more_rows;
    loop_.x = beginning.thread_idx.x - first;
    loop_.y = beginning.thread_idx.y;
    loop_.z = beginning.thread_idx.z;
    meeting_ = nullptr;
    in_region_ = true;
    (run_wide ? running_region_->run_wide : running_region_->run)(&loop_);
    in_region_ = false;
    first = row_end + more_rows * block_dim_.x;
  }
}

/// Aligned, as the regions take it to be.
char* block::frames() const {
  return reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(frames_.get()) + 63) / 64 * 64);
}

/// The stop that a lane has run to.
unsigned block::stop_of(const fiber& self) const {
  const int only = running_region_->only_stop;
  if (only >= 0) return static_cast<unsigned>(only);
  return loops_->of_block != 0 ? next_of_threads_[self.thread] : loop_states_[self.warp->index].next[self.lane_id];
}

/// Runs all lanes of the block from barrier to barrier, as long as they stop at the same places. Returns the lane that
/// runs next, by itself or with its warp.
lane* block::run_together() {
  for (together_ = 0;;) {
    step_first_ = 0;
    run_threads(static_cast<unsigned>(together_), 0, lane_count_);
    int stop = running_region_->only_stop;
    if (stop < 0) {
      if (!are_same(next_of_threads_.data(), 0, lane_count_)) break;
      stop = next_of_threads_[0];
    }
    if (stop == WARPZ_STOP_RETURN) {
      together_ = -1;
      return &main_;
    }
    increment(changes_);
    together_ = stop;
  }
  run_apart();
  lane* next = nullptr;
  for (unsigned w = 0; w < warp_count_; ++w) {
    loop_state& state = loop_states_[w];
    const unsigned begin = w * warp_size_, count = std::min(warp_size_, lane_count_ - begin);
    std::copy_n(&next_of_threads_[begin], count, state.next);
    next = are_same(state.next, 0, count) ? stop_whole(warps_[w], 0, count, state.next[0])
                                          : arrive_apart(warps_[w], 0, count);
    if (next == &main_) break;
  }
  return next;
}

/// From now on each warp is at a place of its own.
void block::run_apart() {
  if (together_ < 0) return;
  for (unsigned w = 0; w < warp_count_; ++w) loop_states_[w].whole = together_;
  together_ = -1;
}

/// For a finding while `running` runs: the lanes that have run before it, together with it, have arrived at their
/// stops. While the machine computes what lanes have met for, they wait in it.
void block::settle(const fiber& running) {
  if (loops_ == nullptr) return;
  if (meeting_ != nullptr) {
    warp& met = *running.warp;
    const site at = site_of(*meeting_);
    met.collectives[met.collective_count++] = {
        op_of(*meeting_), at, met.ready, met.ready, met.collectives_begun, ~lane_mask{0}, source_of(*meeting_), false};
    met.ready = 0;
    meeting_ = nullptr;
  }
  if (!in_region_) return;
  if (together_ >= 0) {
    run_apart();
    for (unsigned w = 0; w < running.warp->index; ++w) part(warps_[w]);
  }
  part(*running.warp);
  for (; step_first_ < running.thread; ++step_first_) {
    fiber& before = fibers_[step_first_];
    arrive_at(before, stop_of(before));
  }
}

/// One of several lanes that ran at once has failed: they run again, one by one. It fails again, and is the running one
/// then.
void block::repeat_one_by_one(fiber& first) {
  if (loops_ == nullptr || !in_region_ || running_region_->tells_lane != 0) return;
  const unsigned begin = static_cast<unsigned>(loop_.first);
  const unsigned end = static_cast<unsigned>(loop_.end + (loop_.rows - 1) * loop_.width);
  fiber* const lanes = loops_->of_block != 0 ? fibers_.get() : first.warp->lanes;
  for (unsigned i = begin; i < end; ++i) run_rows(lanes, i, i + 1);
  in_region_ = true;
  detail::run_as(&first);
}

/// The lanes, all of the warp that have not returned, go on together until they stop at different places or have to
/// wait for others.
lane* block::step_together(warp& current_warp, unsigned first, unsigned end) {
  loop_state& state = loop_states_[current_warp.index];
  const lane_mask lanes = lanes_between(first, end);
  if (state.whole < 0) state.whole = state.region[first];
  state.is_apart = false;
  for (;;) {
    run_region(current_warp, static_cast<unsigned>(state.whole), first, end);
    int stop = running_region_->only_stop;
    if (stop < 0) {
      if (!are_same(state.next, first, end)) return arrive_apart(current_warp, first, end);
      stop = state.next[first];
    }
    const warpz_lane_region& next = loops_->regions[stop];
    if (stop == WARPZ_STOP_RETURN || next.stop == WARPZ_STOP_BARRIER) return stop_whole(current_warp, first, end, stop);
    if (next.stop == WARPZ_STOP_YIELD) {
      state.whole = stop;
      current_warp.yielded |= lanes;
      for (unsigned i = first; i < end; ++i) {
        if (!count_spin()) return &main_;
      }
      return next_in_other_warps(current_warp.index);
    }
    if (!meets_whole(current_warp, next, first, end)) {
      std::memset(state.next + first, stop, end - first);
      return arrive_apart(current_warp, first, end);
    }
    state.whole = stop;
    ++current_warp.collectives_begun;
    meeting_ = &next;
    op_of(next)(current_warp.operands, lanes);
    current_warp.yielded &= ~lanes;
    if (count_turn()) return next_in_other_warps(current_warp.index);
  }
}

/// The lanes, all of the warp that have not returned, return or come to a barrier.
lane* block::stop_whole(warp& current_warp, unsigned first, unsigned end, int stop) {
  const lane_mask lanes = lanes_between(first, end);
  current_warp.ready = 0;
  if (stop == WARPZ_STOP_RETURN) {
    current_warp.exited |= lanes;
  } else {
    loop_states_[current_warp.index].whole = stop;
    combine_ = static_cast<combine>(loops_->regions[stop].combine);
    current_warp.at_barrier |= lanes;
    at_barrier_ += end - first;
  }
  return next_in_other_warps(current_warp.index);
}

/// Whether these lanes are all that this collective waits for.
bool block::meets_whole(const warp& current_warp, const warpz_lane_region& stop, unsigned first, unsigned end) const {
  if (stop.stop == WARPZ_STOP_ACTIVE) return true;
  if (source_of(stop) == participants::mask_source::none && takes_active_lanes()) return true;
  const lane_mask* const named = loop_states_[current_warp.index].named;
  if (stop.named == 0 && !are_same(named, first, end)) return false;
  return wanted_by(current_warp.lanes[first], stop.named != 0 ? stop.named : named[first]) == lanes_between(first, end);
}

/// From now on each lane has a stop of its own.
void block::part(warp& current_warp) {
  loop_state& state = loop_states_[current_warp.index];
  if (state.whole < 0) return;
  std::memset(state.region, state.whole, max_warp_size);
  for (lane_mask rest = current_warp.live(); rest != 0; rest &= rest - 1) {
    fiber& each = current_warp.lanes[lowest(rest)];
    each.last = place_of(each);
  }
  state.whole = -1;
}

site block::place_of(const fiber& one) const {
  const int whole = loops_ == nullptr ? -1 : together_ >= 0 ? together_ : loop_states_[one.warp->index].whole;
  return whole > 0 ? site_of(loops_->regions[whole]) : one.last;
}

/// Each of the lanes arrives at its next stop, one after the other.
lane* block::arrive_apart(warp& current_warp, unsigned first, unsigned end) {
  const loop_state& state = loop_states_[current_warp.index];
  part(current_warp);
  lane* next = nullptr;
  for (unsigned i = first; i < end; ++i) {
    next = arrive_at(current_warp.lanes[i], state.next[i]);
    if (next == &main_) break;
  }
  return next;
}

lane* block::arrive_at(fiber& self, unsigned number) {
  loop_state& state = loop_states_[self.warp->index];
  const warpz_lane_region& stop = loops_->regions[number];
  state.region[self.lane_id] = static_cast<unsigned char>(number);
  if (!state.is_apart) {
    state.is_apart = true;
    std::memset(state.passed, 0, sizeof state.passed);
  }
  ++state.passed[self.lane_id];
  if (number == 0) return detail::returned(&self);
  switch (stop.stop) {
    case WARPZ_STOP_COLLECTIVE:
      if (source_of(stop) == participants::mask_source::none && takes_active_lanes())
        return arrive_active(self, op_of(stop), site_of(stop), participants::mask_source::none, &stop);
      return detail::arrive(&self, op_of(stop), stop.named != 0 ? stop.named : state.named[self.lane_id],
                            stop.operation, stop.file, stop.line_source_and_type);
    case WARPZ_STOP_ACTIVE:
      return arrive_active(self, op_of(stop), site_of(stop));
    case WARPZ_STOP_BARRIER:
      return arrive_barrier(self, static_cast<combine>(stop.combine), site_of(stop));
    default:
      return arrive_yield(self, site_of(stop));
  }
}

}  // namespace simt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block while it runs: its warps, its lanes, and the rules by which they meet.
//
// A block stays on one OS thread; lanes switch to each other without returning to the thread's own stack. A lane that
// arrives somewhere asks the block who runs next. Lanes of a warp run in ascending order, warps in turn; a lane that
// passes a scheduling point (yield) goes to the end of the queue.
#pragma once

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <vector>

#include "abi/lane_loops.h"
#include "simt/machine/fifo_lock.hpp"
#include "simt/machine/machine.hpp"
#include "simt/machine/observer.hpp"
#include "simt/machine/schedule.hpp"
#include "simt/machine/stacks.hpp"

namespace simt {

struct warp;
class block;

/// A lane and what the machine alone knows of it.
struct fiber : lane {
  static constexpr unsigned remembered = 8;

  unsigned thread;                   ///< within the block
  site last;                         ///< what block::place_of() says, unless its warp goes on as a loop
  const void* last_code = nullptr;   ///< if `last` has no line: the return address of the call of that scheduling point
  std::uint16_t polled[remembered];  ///< hashes of what it has read by atomics and found unchanged

  /// Remembers a hash of such a read, in place of the oldest. True if it was known already: then the lane may be
  /// spinning, also on as many words as there is room for.
  bool remember(std::uint64_t hash) {
    const auto short_hash = static_cast<std::uint16_t>(hash >> 48);
    if (std::find(std::begin(polled), std::end(polled), short_hash) != std::end(polled)) return true;
    std::copy_backward(std::begin(polled), std::end(polled) - 1, std::end(polled));
    polled[0] = short_hash;
    return false;
  }
};

// At a distance of four cache lines, the lanes' first ones would compete for a quarter of the first-level cache.
static_assert(sizeof(fiber) == 3 * alignof(lane));

/// Written by one thread, and read by others.
template <class Number>
Number increment(std::atomic<Number>& counter) {
  const Number next = counter.load(std::memory_order_relaxed) + 1;
  counter.store(next, std::memory_order_relaxed);
  return next;
}

/// The lowest of one or more lanes.
inline unsigned lowest(lane_mask lanes) { return static_cast<unsigned>(__builtin_ctzll(lanes)); }

constexpr lane_mask bit(unsigned lane_id) { return lane_mask{1} << lane_id; }

constexpr lane_mask first_lanes(unsigned count) { return count >= 64 ? ~lane_mask{0} : bit(count) - 1; }

/// Whether both are the same operation at the same line.
inline bool same(const site& a, const site& b) {
  return a.line == b.line && a.file == b.file && a.operation == b.operation;
}

/// An operation in which lanes of one warp wait for others.
struct pending_collective {
  collective_op op;
  site at;
  lane_mask wanted;  ///< lanes to wait for; 0: those that turn out to be active together
  lane_mask arrived;
  std::uint64_t serial;              ///< counts the collectives of the warp
  lane_mask named;                   ///< the lanes that the calls name; 0 where they name none
  participants::mask_source source;  ///< who names the lanes to wait for
  bool ignores_returned;             ///< does not wait for lanes that have returned from the kernel
  const void* code = nullptr;        ///< of lanes that are active together: where they are in the kernel

  /// Whether it is this operation at this place.
  bool same_operation(collective_op other, const site& place) const { return op == other && same(at, place); }
  bool complete(lane_mask returned) const {
    const lane_mask missing = wanted & ~arrived;
    return missing == 0 || (ignores_returned && (missing & ~returned) == 0);
  }
};

struct warp {
  collective_slots operands;
  lane_mask present;
  lane_mask ready;  ///< may run, or is running
  lane_mask exited;
  lane_mask at_barrier;
  lane_mask yielded;  ///< those of the ready lanes that are at a scheduling point; `last` says which
  unsigned collective_count;
  unsigned active_patience;  ///< scheduling points passed while lanes wait to learn who is active
  std::uint64_t collectives_begun;
  unsigned yield_count;  ///< how often lanes that keep meeting each other let other lanes or warps run
  unsigned yielded_to;   ///< the lane that ran then
  class block* block;
  fiber* lanes;
  unsigned index;

  // Neighboring lanes that do the same one after the other are not recorded one by one: while such a batch is open,
  // the lanes from `batch_begin` to the one before the running lane have joined collectives[0], or have returned.
  unsigned batch_begin;
  const fiber* batch_joins_below;    ///< a running lane below this one may join in the batch; null: none is open
  const fiber* batch_returns_below;  ///< a running lane below this one may return in the batch; null: none is open

  pending_collective collectives[max_warp_size];

  lane_mask live() const { return present & ~exited; }

  bool in_batch() const { return batch_joins_below != nullptr || batch_returns_below != nullptr; }

  /// Ends the batch, if one is open: records what the lanes before `running`, a lane of this warp, have done.
  void flush_batch(const fiber& running);

  /// The collective that lanes already wait in with the same operation, place and lanes; null: none.
  pending_collective* find(lane_mask wanted, collective_op op, const site& at, const void* code = nullptr) {
    for (pending_collective* each = collectives; each != collectives + collective_count; ++each) {
      if (each->wanted == wanted && each->code == code && each->same_operation(op, at)) return each;
    }
    return nullptr;
  }
};

inline void warp::flush_batch(const fiber& running) {
  if (!in_batch()) return;
  const lane_mask batch = first_lanes(running.lane_id) & ~first_lanes(batch_begin);
  ready &= ~batch;
  (batch_joins_below != nullptr ? collectives[0].arrived : exited) |= batch;
  batch_joins_below = batch_returns_below = nullptr;
}

/// Held by the observed block that runs. One that waits gives it away from time to time.
inline fifo_lock& observed_block() {
  static auto* const only = new fifo_lock;
  return *only;
}

/// Where the lanes of a warp are that runs as loops over them, by the numbers of its kernel's stops.
struct loop_state {
  int whole;                            ///< at which all its lanes are; below 0: each is at one of its own
  lane_mask named[max_warp_size];       ///< that the next stop names
  unsigned char next[max_warp_size];    ///< that the lane has run to
  unsigned char region[max_warp_size];  ///< from which it goes on, if it has a stop of its own
  bool is_apart;                        ///< lanes have stopped one by one since they were last all together
  unsigned passed[max_warp_size];       ///< if so: how many stops the lane has passed since
};

class block {
 public:
  block();
  ~block();
  block(const block&) = delete;
  block& operator=(const block&) = delete;

  /// Takes over a launch's shape. False where there is no memory for the lanes' stacks. The block that finds a
  /// divergence abandons the launch; those that wait for it then end, too.
  bool configure(const launch_request& request, unsigned warp_size, std::atomic<bool>& is_abandoned,
                 bool in_trial = false);

  /// Frees the memory of the lanes' stacks.
  void release();

  /// Runs one block of the configured launch to its end, on the calling thread; `number` counts the grid's blocks.
  void run(index3 block_idx, std::uint64_t number);

  /// What simt::leave_trial() does.
  void leave_trial();

  // These do what the arrive_* of simt/detail/suspend.hpp promise; each returns the lane that runs next.
  lane* arrive(fiber& self, collective_op op, participants who, const site& at, const void* code = nullptr);
  lane* arrive_active(fiber& self, collective_op op, const site& at,
                      participants::mask_source source = participants::mask_source::contract,
                      const void* code = nullptr);
  lane* arrive_barrier(fiber& self, combine mode, const site& at);
  lane* arrive_yield(fiber& self, const site& at);
  /// Before an access: in a permuted order others may run first.
  lane* arrive_access(fiber& self, const void* code);
  lane* exit_lane(fiber& self);
  /// A lane has ended within its kernel: from the next block on all lanes begin anew.
  void renew_stacks() { stacks_prepared_ = false; }
  /// In a handler of a fault that this lane, or one that ran at once with it, has caused.
  void repeat_one_by_one(fiber& first);
  /// Before a finding about the lane that runs.
  void settle(const fiber& running);
  /// Whether the machine works for the lane that runs, which has come to the end of a region.
  bool is_between_regions() const { return loops_ != nullptr && !in_region_ && meeting_ == nullptr; }
  /// What simt::note_access() does.
  void note_access(fiber& self, std::uintptr_t address, access_effect effect);

  /// The barrier that the lane waits at, or the scheduling point that it passed last.
  site place_of(const fiber& one) const;

  const launch_request& request() const { return *request_; }
  index3 block_idx() const { return block_idx_; }
  const lane_stacks& stacks() const { return stacks_; }
  unsigned warp_size() const { return warp_size_; }
  unsigned lane_count() const { return lane_count_; }
  const void* dynamic_shared() const { return fibers_[0].dynamic_shared; }
  unsigned warp_count() const { return warp_count_; }
  const warp& warp_at(unsigned index) const { return warps_[index]; }
  bool permutes() const { return order_.permutes(); }
  bool is_lockstep() const { return order_.is_lockstep(); }
  /// Whether the block surely waits for another one: for long its lanes have only passed scheduling points, and none
  /// has changed anything or looked at anything new.
  bool waits() const { return spins_.load(std::memory_order_relaxed) > surely_waiting; }
  /// A number that changes whenever a collective or barrier has been passed, or a value changed.
  std::uint64_t progress() const {
    return turns_.load(std::memory_order_relaxed) + changes_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t surely_waiting = 4096;
  static constexpr std::uint64_t spins_in_a_row =
      16;  ///< a waiting block passes so many scheduling points before others get its core
  static constexpr unsigned max_collectives_in_a_row = 256;

  void* allocate_shared(std::size_t bytes);
  void number_warps();
  void number_lanes(void* dynamic_shared);
  lane* next_lane(fiber& from);
  lane* begin_batch(fiber& from, lane_mask alike, const fiber*& batch_end);
  lane* choose_lane(warp& current_warp);
  lane* any_lane(warp& current_warp);
  lane* any_in_other_warps(unsigned from);
  lane* first_behind(unsigned from) const;
  lane* decide(lane* usual, lane* chosen);
  /// In an order with decisions: the lane stands at a point where others may go on, there or at this code.
  void note_point(const fiber& self, const site& at, const void* code = nullptr) {
    if (order_.has_decisions()) decisions_.arrive(self.thread, at, code);
  }
  lane_mask wanted_by(const fiber& self, lane_mask named) const {
    const lane_mask existing = named & self.warp->present;
    return settings_.check == WARPZ_CHECK_OFF ? existing | lane_mask{1} << self.lane_id : existing;
  }
  /// Whether the active lanes take part in an operation without a mask: by AMD's rules, which each device of 64 lanes
  /// follows.
  bool takes_active_lanes() const {
    return settings_.rules == WARPZ_RULES_AMD || (settings_.rules == WARPZ_RULES_PORTABLE && warp_size_ == 64);
  }
  bool count_turn();
  bool count_spin();
  // Without stacks: lane_loops.cpp.
  bool choose_loops();
  void run_loops();
  lane* step(fiber& self);
  lane* run_together();
  void run_apart();
  void run_region(warp& current_warp, unsigned region, unsigned first, unsigned end);
  void run_threads(unsigned region, unsigned first, unsigned end);
  void run_lanes(unsigned region, fiber* lanes, unsigned first, unsigned end);
  void run_rows(fiber* lanes, unsigned first, unsigned end);
  char* frames() const;
  lane* stop_whole(warp& current_warp, unsigned first, unsigned end, int stop);
  lane* step_together(warp& current_warp, unsigned first, unsigned end);
  bool meets_whole(const warp& current_warp, const warpz_lane_region& stop, unsigned first, unsigned end) const;
  void part(warp& current_warp);
  lane* arrive_apart(warp& current_warp, unsigned first, unsigned end);
  lane* arrive_at(fiber& self, unsigned number);
  unsigned stop_of(const fiber& self) const;
  lane* complete_collective(warp& current_warp, pending_collective& complete);
  lane* yield_turn(warp& current_warp, lane_mask met_lanes);
  lane* leave_warp(warp& from);
  lane* next_in_other_warps(unsigned from);
  void resolve_active(warp& current_warp);
  void release_waiters_for_returned(warp& current_warp);
  bool may_split(const pending_collective& active) const;
  void resolve_together(warp& current_warp, pending_collective& active);
  void resolve(warp& current_warp, pending_collective& complete);
  void resolve_observed(warp& current_warp, const pending_collective& complete);
  bool complete_barrier();
  void combine_predicates();
  lane* abandon_launch();

  const launch_request* request_ = nullptr;
  std::atomic<bool>* is_abandoned_ = nullptr;  ///< the launch
  warpz_settings settings_;
  unsigned warp_size_ = 0;
  unsigned warp_count_ = 0;
  unsigned lane_count_ = 0;
  index3 block_idx_{};
  index3 block_dim_{};
  index3 grid_dim_{};
  bool alone_ = false;  ///< the only block of its grid
  std::uint64_t serial_ = 0;
  unsigned at_barrier_ = 0;
  // The supervising thread reads these three.
  std::atomic<unsigned> turns_{0};         ///< collectives passed by this block
  std::atomic<std::uint64_t> changes_{0};  ///< values changed, and barriers passed
  std::atomic<std::uint64_t> spins_{0};    ///< scheduling points since anything changed or was looked at first
  lane_order order_;
  order_decisions decisions_;
  combine combine_ = combine::nothing;
  lane main_{};  ///< the thread's own stack
  lane_stacks stacks_;
  bool stacks_prepared_ = false;  ///< for the configured launch
  bool in_trial_ = false;
  bool takes_turns_ = false;  ///< with other observed blocks
  std::unique_ptr<fiber[]> fibers_;
  std::unique_ptr<warp[]> warps_;
  unsigned lane_capacity_ = 0;  ///< that there are fibers and warps for
  std::unique_ptr<char[]> dynamic_shared_;
  std::size_t dynamic_shared_bytes_ = 0;
  const warpz_lane_loops* loops_ = nullptr;     ///< null: lanes have stacks
  std::vector<loop_state> loop_states_;         ///< of the warps, unless all lanes are together
  std::vector<unsigned char> next_of_threads_;  ///< to which stops they have run, where they meet only as a block
  int together_ = -1;                           ///< the stop that all lanes of the block go on from; below 0: none
  warpz_lane_loop loop_{};                      ///< that runs
  const warpz_lane_region* running_region_ = nullptr;
  unsigned step_first_ = 0;                     ///< the first thread that it runs
  bool in_region_ = false;                      ///< it has not ended
  const warpz_lane_region* meeting_ = nullptr;  ///< the collective that the running warp is in, between two regions
  std::unique_ptr<char[]> frames_;
  std::size_t frame_bytes_ = 0;
  std::unique_ptr<block_observer> observer_;  ///< null where the launch is not observed
};

}  // namespace simt

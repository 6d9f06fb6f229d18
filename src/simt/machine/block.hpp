// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block while it runs: its warps, its lanes, and the rules by which they meet.
//
// A block lives on one OS thread; lanes change over to each other without returning to the thread's own stack.
// Whoever arrives somewhere asks the block who runs next. Lanes of a warp run in ascending order, warps in
// turn; a lane that passes a scheduling point (yield) goes to the end of the queue.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "simt/machine/machine.hpp"
#include "simt/machine/schedule.hpp"
#include "simt/machine/stacks.hpp"

namespace simt {

namespace check {
class watcher;
}

struct warp;
class block;

/// A lane and what the machine alone knows of it.
struct fiber : lane {
  unsigned thread;  ///< within the block
  site last;        ///< the barrier it waits at, or the scheduling point it passed last
};

/// Of lanes of which there is one.
inline unsigned lowest(lane_mask lanes) { return static_cast<unsigned>(__builtin_ctzll(lanes)); }

constexpr lane_mask bit(unsigned lane_id) { return lane_mask{1} << lane_id; }

constexpr lane_mask first_lanes(unsigned count) { return count >= 64 ? ~lane_mask{0} : bit(count) - 1; }

/// One place in the source.
inline bool same(const site& a, const site& b) {
  return a.line == b.line && a.file == b.file && a.operation == b.operation;
}

/// Lanes of one warp that wait in the same operation.
struct meeting {
  resolver resolve;
  site at;
  lane_mask wanted;  ///< lanes to wait for; 0: those that turn out to be active together
  lane_mask arrived;
  std::uint64_t since;         ///< when it began, counted in meetings of the warp
  lane_mask named;             ///< by those who call; 0 where nobody names any
  participants::named_by how;  ///< the lanes to wait for
  bool without_returned;       ///< does not wait for lanes that have returned from the kernel

  /// The same operation at the same place.
  bool same_operation(resolver other, const site& place) const { return resolve == other && same(at, place); }
  bool complete(lane_mask returned) const {
    const lane_mask missing = wanted & ~arrived;
    return missing == 0 || (without_returned && (missing & ~returned) == 0);
  }
};

struct warp {
  exchange operands;
  lane_mask present;
  lane_mask ready;  ///< may run, or is running
  lane_mask exited;
  lane_mask at_barrier;
  lane_mask yielded;  ///< of the ready ones: at a scheduling point, `last` says which
  unsigned meeting_count;
  unsigned active_patience;  ///< scheduling points passed while lanes wait for who is active
  std::uint64_t meetings_begun;
  unsigned times_given_way;  ///< by lanes that meet again and again, to others of the warp or to other warps
  unsigned given_way_to;     ///< the lane that went on the last time
  block* home;
  fiber* lanes;
  unsigned index;

  // Lanes that do the same in turn, each of them after the one before it, are not written down one by one: while such a
  // sweep is on, those from `swept_from` to the one before the running lane have joined meetings[0], or have returned.
  unsigned swept_from;
  const fiber* joining_before;    ///< a running lane below this one may join in the sweep; null: it is not on
  const fiber* returning_before;  ///< the same for lanes that return

  meeting meetings[max_warp_size];

  lane_mask live() const { return present & ~exited; }

  bool in_sweep() const { return joining_before != nullptr || returning_before != nullptr; }

  /// Ends a sweep, if one is on: writes down what the lanes before `running`, one of this warp, have done.
  void settle(const fiber& running);

  /// Where lanes already wait for the same; null: nowhere.
  meeting* find(lane_mask wanted, resolver resolve, const site& at) {
    for (meeting* each = meetings; each != meetings + meeting_count; ++each) {
      if (each->wanted == wanted && each->same_operation(resolve, at)) return each;
    }
    return nullptr;
  }
};

inline void warp::settle(const fiber& running) {
  if (!in_sweep()) return;
  const lane_mask swept = first_lanes(running.lane_id) & ~first_lanes(swept_from);
  ready &= ~swept;
  (joining_before != nullptr ? meetings[0].arrived : exited) |= swept;
  joining_before = returning_before = nullptr;
}

class block {
 public:
  block();
  ~block();
  block(const block&) = delete;
  block& operator=(const block&) = delete;

  /// Takes over a launch's shape. False where there is no memory for the lanes' stacks.
  bool configure(const launch_request& request, unsigned lanes_per_warp);

  /// Gives the memory of the lanes' stacks back.
  void release();

  /// Runs one block of the configured launch to its end, on the calling thread; `number` counts the grid's blocks.
  void run(index3 block_idx, std::uint64_t number);

  // What suspend.hpp's arrive_* do; each returns the lane that runs next.
  lane* arrive(fiber& self, resolver resolve, participants who, const site& at);
  lane* arrive_active(fiber& self, resolver resolve, const site& at,
                      participants::named_by how = participants::named_by::contract);
  lane* arrive_barrier(fiber& self, combine how, const site& at);
  lane* arrive_yield(fiber& self, const site& at);
  /// Before an access: in a permuted order others may run first.
  lane* arrive_access(fiber& self);
  lane* exit_lane(fiber& self);

  const launch_request& request() const { return *request_; }
  index3 block_idx() const { return block_idx_; }
  const lane_stacks& stacks() const { return stacks_; }
  unsigned lanes_per_warp() const { return lanes_per_warp_; }
  unsigned lane_count() const { return lane_count_; }
  const void* dynamic_shared() const { return fibers_[0].dynamic_shared; }
  unsigned warp_count() const { return warp_count_; }
  const warp& warp_at(unsigned index) const { return warps_[index]; }
  bool permutes() const { return order_.permutes(); }
  /// Has passed so many scheduling points since it began that it surely waits for somebody.
  bool waits() const { return yields_.load(std::memory_order_relaxed) > surely_waiting; }

 private:
  static constexpr std::uint64_t surely_waiting = 4096;
  static constexpr unsigned turns_before_giving_way = 256;

  lane* go_on(fiber& from);
  lane* go_on_in_turn(fiber& from, lane_mask alike, const fiber*& before);
  lane* choose(warp& here);
  lane_mask wanted_by(const fiber& self, lane_mask named) const {
    const lane_mask there = named & self.home->present;
    return settings_.check == WARPZ_CHECK_OFF ? there | lane_mask{1} << self.lane_id : there;
  }
  lane* all_have_come(warp& here, meeting& complete);
  lane* give_way(warp& here, lane_mask meeting_lanes);
  lane* leave_warp(warp& from);
  lane* next_elsewhere(unsigned from);
  void resolve_active(warp& where);
  void let_go_without_returned(warp& here);
  void finish(warp& where, meeting& complete);
  void complete_barrier();
  void compute(warp& of, resolver with, lane_mask group, lane_mask named, const site& at);

  const launch_request* request_ = nullptr;
  warpz_settings settings_;
  unsigned lanes_per_warp_ = 0;
  unsigned warp_count_ = 0;
  unsigned lane_count_ = 0;
  index3 block_idx_{};
  index3 block_dim_{};
  index3 grid_dim_{};
  bool alone_ = false;  ///< the only block of its grid
  std::uint64_t serial_ = 0;
  unsigned at_barrier_ = 0;
  unsigned turns_ = 0;
  std::atomic<std::uint64_t> yields_{0};
  lane_order order_;
  combine combine_ = combine::nothing;
  lane main_{};  ///< the thread's own stack
  lane_stacks stacks_;
  bool stacks_prepared_ = false;  ///< for the configured launch
  std::unique_ptr<fiber[]> fibers_;
  std::unique_ptr<warp[]> warps_;
  std::unique_ptr<char[]> dynamic_shared_;
  std::size_t dynamic_shared_bytes_ = 0;
  std::unique_ptr<check::watcher> watcher_;  ///< null where accesses are not watched
};

}  // namespace simt

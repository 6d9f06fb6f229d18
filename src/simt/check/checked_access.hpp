// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a check sees: the running block, the events of its lanes, and each access to memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "simt/check/access_kind.hpp"
#include "simt/check/shadow.hpp"
#include "simt/check/vector_clock.hpp"
#include "simt/machine/block.hpp"
#include "simt/machine/trial.hpp"

namespace simt::check {

/// An operation in which lanes have met and ordered their accesses to memory.
struct sync_point {
  std::uint64_t serial;  ///< counts the block's sync points, from 1; 0: none yet
  site at;
};

/// State that the checks of one worker share.
struct checked_block {
  const block* current = nullptr;
  unsigned warp_size = 32;
  block_clocks clocks;
  barrier_intervals intervals;  ///< for tags of shared memory
  bool needs_stamps = false;    ///< tags do not tell enough of its accesses to shared memory
  region_table regions;
  std::vector<sync_point> last_sync_point;  ///< one for each thread
  std::uint64_t sync_points = 0;
  bool in_trial = false;
  bool is_recorded = false;  ///< a check keeps each access: one question for all of them, as it is asked so often

  static const fiber& running() { return *static_cast<const fiber*>(this_lane); }
  /// Ends the trial, which is to be repeated with stamps for shared memory.
  void ask_for_stamps() {
    needs_stamps = true;
    simt::leave_trial();
  }
  lane_clock& clock() { return clocks.of(running().thread); }

  /// Whether an earlier access to this memory has happened before what the lane of this clock does now.
  bool happens_before(const region& memory, const lane_clock& self, access_stamp earlier) const {
    return memory.per_block ? clocks.happens_before_in_block(self, earlier.time(), earlier.thread())
                            : clocks.happens_before(self, earlier.time(), earlier.thread());
  }
};

/// An access of the running lane, before it happens. Pass it by value to functions that are not inlined: then it stays
/// in registers as long as nothing is found, which makes a checked kernel 4 % faster.
struct checked_access {
  region* memory;  ///< null: none is near
  std::uintptr_t address;
  std::size_t size;
  access_kind kind;
  std::size_t alignment;  ///< what the type of the access requires
  const void* code;       ///< return address of the call that reports it
  const lane_clock& clock;
  access_stamp self;             ///< this access, as shadow memory keeps it
  bool holds_value = false;      ///< some of the bytes were written; set by `races`, which keeps the shadow up to date
  bool misses_variable = false;  ///< some of the bytes belong to no variable; set by `races`
  std::uint64_t* moved = nullptr;  ///< of a read that only moves the value: gets its token (initialisation.hpp)
};

/// A check of one class of findings. It defines the events that it needs; a name hides the empty one here.
struct access_check {
  void begin_block(checked_block&, std::uint64_t /*number*/) {}
  void end_block() {}
  /// Some lanes have arrived where they are going to be ordered: a barrier, or a collective that orders memory.
  void synchronize() {}
  void begin_collective(warp& /*current_warp*/, const pending_collective&) {}
  void end_collective(const warp& /*current_warp*/, const pending_collective&) {}
  /// All threads of the block that have not returned have arrived at one barrier.
  void pass_barrier() {}
  /// The running lane does something: its last access is complete.
  void before_access() {}
  /// An access to memory that is in or near no region.
  void access_outside(checked_block&, checked_access) {}
  /// An access to a region, or near it. False ends the checking of this access.
  bool access_region(checked_block&, checked_access&) { return true; }
};

/// Calls each check, in this order. All calls are direct, and inlined where the check allows it.
template <class... Checks>
class check_list {
 public:
  template <class Check>
  Check& get() {
    return std::get<Check>(checks_);
  }

  void begin_block(checked_block& block, std::uint64_t number) { (get<Checks>().begin_block(block, number), ...); }
  void end_block() { (get<Checks>().end_block(), ...); }
  void synchronize() { (get<Checks>().synchronize(), ...); }
  void begin_collective(warp& current_warp, const pending_collective& met) {
    (get<Checks>().begin_collective(current_warp, met), ...);
  }
  void end_collective(const warp& current_warp, const pending_collective& met) {
    (get<Checks>().end_collective(current_warp, met), ...);
  }
  void pass_barrier() { (get<Checks>().pass_barrier(), ...); }
  [[gnu::always_inline]] void before_access() { (get<Checks>().before_access(), ...); }
  void access_outside(checked_block& block, checked_access event) { (get<Checks>().access_outside(block, event), ...); }
  [[gnu::always_inline]] void access_region(checked_block& block, checked_access& event) {
    static_cast<void>((get<Checks>().access_region(block, event) && ...));
  }

 private:
  std::tuple<Checks...> checks_;
};

}  // namespace simt::check

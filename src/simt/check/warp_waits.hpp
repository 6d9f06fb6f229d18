// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane that waits in a loop for what another lane of its warp gives only behind that loop, or in another branch.
// Lanes here go on one by one, so the wait ends. Where the lanes of a warp go on together, those that have left a loop
// wait for those that are in it, and of two branches either may come first.
//
// The plugin tells of the loops (src/instrument/waiting_loops.cpp), and atomics tell what they have done to the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simt/check/checked_access.hpp"
#include "simt/lane.hpp"

namespace simt::check {

class warp_waits : public access_check {
 public:
  void begin_block(checked_block& block, std::uint64_t number);

  // The running lane begins a loop, begins a round of it, and leaves it.
  void enter_loop(std::uint64_t loop);
  void repeat_loop(std::uint64_t loop);
  void leave_loop(std::uint64_t loop);
  /// It goes where it does not come to the loop that others may be in.
  void pass_loop(std::uint64_t loop);

  // In the ascending order others come to the loop and look there before a lane changes what they may wait for.

  /// Whether the running lane, which has just left a loop or gone past it, comes before others of its warp.
  bool comes_first() const;

  /// Before the running lane changes a value by an atomic: lets others look that are in a loop which it has left or
  /// gone past.
  void let_others_look() const;

  /// Where lanes go on in lockstep: whether the running lane has to wait for others that are still in the loop that it
  /// has left. It waits for so many rounds at most, as a warp may be stuck.
  bool waits_behind_loop(unsigned rounds) const;

  /// The lane has accessed the memory by an atomic or a volatile access.
  void note_access(const fiber& self, std::uintptr_t address, access_effect effect);

 private:
  /// How often a lane has come to each loop.
  class visit_counts {
   public:
    std::uint64_t next(std::uint64_t loop);
    void clear() { counts_.clear(); }

   private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> counts_;
  };

  /// A lane in a loop. `visit` is the same for the lanes that would be in it together: it is made of the loop, the
  /// visits and rounds of the loops around it, and how often the lane has begun it in that round.
  struct visit {
    std::uint64_t loop;
    std::uint64_t number;
    std::uint64_t round = 0;
    visit_counts begun;  ///< loops within this round
  };

  struct lane_loops {
    static constexpr unsigned remembered = 16, remembered_changes = 4;

    std::vector<visit> inside;
    visit_counts begun;                ///< outermost loops
    std::uint64_t left[remembered]{};  ///< the visits that it has left last, or gone past
    std::uint64_t left_bits = 0;       ///< of each of them the bit that its number chooses
    bool has_been_in[remembered]{};    ///< those of them that it has left
    unsigned next_left = 0;

    struct own_change {
      std::uintptr_t address = 0;
      unsigned left = 0;  ///< how many visits it had left or gone past
    };
    own_change changes[remembered_changes];  ///< the last ones by atomics
    unsigned next_change = 0;

    // What it looks at in the innermost loop.
    std::uintptr_t address = 0;
    std::uint32_t value = 0;
    unsigned looks = 0;                ///< rounds, one after the other, that found this value: it may look twice in one
    std::uint64_t looks_in = 0;        ///< the visit
    std::uint64_t looks_in_round = 0;  ///< of that visit
    bool is_current = false;           ///< nobody of this block has changed the value since
    std::uint64_t others_changes = 0;  ///< by other blocks, until it looked last
    site at{};                         ///< of the first look of the round
    const void* code = nullptr;        ///< where `at` is no place

    void set_left(unsigned place, std::uint64_t number, bool has_been);
    /// The place in `left` of a visit; `remembered`: it is not there.
    unsigned place_of(std::uint64_t number) const;
    /// How many of `inside` lead to the one in which it looks, itself included.
    std::size_t visits_of_look() const;
    /// Whether it has changed what is at the address since it left the visit at this place, or went past it: as one
    /// that takes a lock again, for which in a warp that goes on together nobody would wait there.
    bool has_changed_since(unsigned place, std::uintptr_t changed) const;
    std::uint64_t left_last() const { return left[(next_left + remembered - 1) % remembered]; }
  };

  /// The lanes of a warp by visit, of which there are few: mostly lanes are in the same loops.
  class lanes_by_visit {
   public:
    void add(std::uint64_t number, lane_mask lane);
    void remove(std::uint64_t number, lane_mask lane);
    lane_mask of(std::uint64_t number) const;
    /// Whether it holds for a visit and its lanes.
    template <class Predicate>
    bool any(Predicate holds) const {
      for (const auto& [number, lanes] : entries_) {
        if (holds(number, lanes)) return true;
      }
      return false;
    }

   private:
    /// In `entries_`; their number: there is none.
    std::size_t place_of(std::uint64_t number) const;

    std::vector<std::pair<std::uint64_t, lane_mask>> entries_;
  };

  struct warp_loops {
    lane_mask looking = 0;  ///< have looked
    lane_mask waiting = 0;  ///< have looked often enough to count as waiting
    lanes_by_visit inside;  ///< are in the loop
    lanes_by_visit left;    ///< have left it lately, or gone past it
  };

  static constexpr unsigned waiting_looks = 2;                   ///< in vain, before a lane counts as waiting
  static constexpr unsigned looking_rounds = 2 * max_warp_size;  ///< a lane that ends lets the lowest one go on
  static constexpr unsigned lockstep_rounds = 256;

  lane_loops& of_running() {
    is_used_ = true;
    return lanes_[checked_block::running().thread];
  }
  /// The number of the visit that a lane begins, or that it goes past.
  std::uint64_t next_visit(std::uint64_t loop);
  void note_left(lane_loops& self, std::uint64_t number, bool has_been_in);
  bool lets_others_come() const;
  bool have_others_looked() const;
  static bool has_looked_in(const lane_loops& each, std::uint64_t number);
  std::uint64_t others_changes() const;
  void look(const fiber& self, std::uintptr_t address);
  void forget_looks(const fiber& self);
  void change(const fiber& self, std::uintptr_t address);
  /// `is_behind`: the one that gives has left the loop, and not gone past it.
  void report(const lane_loops& waiting, unsigned waiting_lane, const fiber& giving, bool is_behind) const;

  const block* block_ = nullptr;
  std::vector<lane_loops> lanes_;
  std::vector<warp_loops> warps_;
  std::uint64_t changes_ = 0;  ///< by this block
  bool in_trial_ = false;
  bool is_used_ = false;  ///< in this block, the lanes' loops or looks
};

}  // namespace simt::check

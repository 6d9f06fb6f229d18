// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An order of lanes, warps and blocks as decisions: each lets one party pass a point before another one, which would
// have come first in the ascending order. A seed's order is written down so, and any part of it can be followed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "abi/schedule_record.h"
#include "simt/lane.hpp"

namespace simt {

/// The decisions among the threads of one block, or among the blocks of a launch.
///
/// The machine asks at each turn who goes on. `usual` is the party whose turn it would be in the ascending order. If it
/// is held, the one that passes first goes on, until it has passed; then it is the held one's turn again. So whoever
/// follows all decisions of an order has that very order.
class order_decisions {
 public:
  /// What the parties are.
  struct scope {
    std::uint32_t launch;
    bool of_blocks;
    std::uint64_t block;  ///< whose threads the parties are
    index3 grid;
    unsigned warp_size;
  };

  using readiness = std::function<bool(std::uint32_t party)>;

  /// Records, or else follows what the record has.
  void begin(warpz_schedule_record& record, bool records, const scope& domain, std::uint32_t parties);

  /// The party has passed its point, and stands at its next one: there in the source, or at this code.
  void arrive(std::uint32_t party, const site& at, const void* code);

  /// The party that goes on. `chosen`: by the order that is recorded; else the same as `usual`. Both are ready.
  std::uint32_t next(std::uint32_t usual, std::uint32_t chosen, const readiness& is_ready);

 private:
  struct place {
    site at;
    const void* code;
  };

  /// A party that waits until another one has passed a point.
  struct hold {
    std::uint32_t held, held_at;
    std::uint32_t first, first_at;
    std::uint64_t decision;  ///< its number in the record
    unsigned turns = 0;      ///< since the first one has gone on
    std::uint32_t first_stood = 0;
  };

  static constexpr std::uint32_t not_held = ~std::uint32_t{0};

  bool is_over(const hold& one) const { return points_[one.first] > one.first_at; }
  bool waits(std::uint32_t party) const {
    return hold_of_[party] != not_held && !is_over(holds_[hold_of_[party]]) &&
           points_[party] == holds_[hold_of_[party]].held_at;
  }
  void push(const hold& one);
  void pop();
  bool return_to_held(std::uint32_t& usual, const readiness& is_ready);
  void record(std::uint32_t held, std::uint32_t first);
  std::uint32_t follow(std::uint32_t usual, bool is_returned, const readiness& is_ready);
  const warpz_decision* decision_for(std::uint32_t party);
  bool go_on_elsewhere(std::uint32_t& usual, const readiness& is_ready);
  void explain(std::uint64_t decision, std::uint32_t party, warpz_lane_group* groups) const;
  void explain_first(std::uint32_t party) const;
  void note_passing(std::uint32_t party);
  void begin_base();
  void keep_base(std::uint32_t party);
  std::uint32_t next_in_base(std::uint32_t usual, const readiness& is_ready);

  warpz_schedule_record* record_ = nullptr;
  bool records_ = false;
  bool has_trail_ = false;
  scope scope_{};
  warpz_base* kept_base_ = nullptr;           ///< that this run keeps; null: none
  const warpz_passing* base_next_ = nullptr;  ///< the ascending order, as far as it is not yet passed
  const warpz_passing* base_end_ = nullptr;
  std::vector<std::uint32_t> points_;   ///< of each party
  std::vector<place> places_;           ///< likewise; of threads, where the order is followed
  std::vector<std::uint32_t> hold_of_;  ///< likewise: its last one among the holds
  std::vector<hold> holds_;             ///< the last one begins last
  std::uint64_t last_ = 0;              ///< the last decision that was recorded, plus 1; 0: none

  // The decisions to follow, by the party that is held and then as the record has them.
  std::uint64_t begin_ = 0;
  std::vector<std::vector<std::uint32_t>> to_follow_;  ///< for each party, numbers from `begin_` on
  std::vector<std::uint32_t> followed_;                ///< for each party, how many of these are behind it
  std::vector<bool> is_given_up_;                      ///< for each decision from `begin_` on
};

}  // namespace simt

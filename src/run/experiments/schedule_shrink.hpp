// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out what of an order of lanes, warps and blocks makes a fault show: the fewest decisions of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "abi/schedule_record.h"
#include "run/experiments/replay.hpp"
#include "run/experiments/smallest_part.hpp"
#include "system/shared_memory.hpp"

namespace warpz {

/// Where shrinking ends.
struct shrink_limits {
  std::uint32_t replays = 400;    ///< of one finding
  std::chrono::seconds time{60};  ///< for all findings together
  std::size_t findings = 4;
  std::size_t moved_decisions = 6;    ///< more than these are not moved to where they matter
  std::uint32_t first_replays = 100;  ///< so many later, what two lanes do is tried alone
  std::size_t lanes_in_pairs = 12;
};

/// Shrinks the orders of findings about one piece of code, one after the other.
class schedule_shrink {
 public:
  explicit schedule_shrink(replay& code, const shrink_limits& limits = {})
      : code_(code), limits_(limits), end_(std::chrono::steady_clock::now() + limits.time) {}

  /// Adds to the finding what of its order is needed to find it. Its seed's order has been compared with the ascending
  /// one.
  void shrink(symbolized_finding& found);

 private:
  using decisions = std::vector<warpz_decision>;

  effect record_order(const symbolized_finding& found);
  bool make_smaller(decisions& some, std::uint32_t replays);
  bool leave_two_lanes(decisions& some);
  std::vector<warpz_passing> take_trail();
  effect try_decisions(const decisions& some);
  effect keep_base();
  effect run(warpz_perturbation perturbation);
  bool shows(const run_record& ran) const;
  decisions recorded() const;
  void move_to_where_it_matters(decisions& some, std::size_t number);
  void move_held_blocks(decisions& some, std::size_t number);
  void move_held_lane(decisions& some, std::size_t number);
  void shorten(decisions& some, std::size_t number, std::uint32_t from);
  template <class Change>
  std::size_t last_that_shows(decisions& some, std::size_t number, std::size_t end, const Change& change);
  std::vector<schedule_decision> explained(const decisions& some, symbolized_finding& found) const;

  replay& code_;
  const shrink_limits limits_;
  const std::chrono::steady_clock::time_point end_;
  os::shared_memory<warpz_schedule_record> record_;
  const symbolized_finding* found_ = nullptr;
  std::uint32_t replays_ = 0;
  std::uint32_t max_replays_ = 0;
  std::size_t findings_ = 0;
  bool has_base_ = false;
  std::optional<double> timeout_;
  std::uint64_t module_base_ = 0;  ///< of the last run
};

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which a launch's blocks begin, and which lane of a block runs where several are ready: ascending,
// descending, or as a seed decides. The same seed gives the same order on every machine. A seed's order may be recorded
// as decisions, and the ascending order may be followed but for some of these (decisions.hpp).
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "abi/settings.h"
#include "simt/lane.hpp"
#include "simt/machine/decisions.hpp"

namespace simt {

/// SplitMix64.
constexpr std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// The choices within one block.
class lane_order {
 public:
  /// Seed 0: ascending, or descending.
  void begin(const warpz_perturbation& perturbation, std::uint64_t block) {
    const std::uint64_t seed = perturbation.schedule;
    const bool descends = perturbation.descends != 0;
    has_decisions_ = perturbation.decisions != nullptr;
    is_lockstep_ = seed != 0 && seed % warpz_lockstep_seeds == 0;
    is_random_ = seed != 0 && !is_lockstep_;
    descends_ = is_lockstep_ ? seed / warpz_lockstep_seeds % 2 == 1 : seed == 0 && descends;
    is_ascending_ = !warpz_varies_order(perturbation);
    state_ = seed;
    state_ = next_random(state_) ^ block;
  }

  /// Always: lanes may be run in a row.
  bool is_ascending() const { return is_ascending_; }
  /// Whether decisions are recorded or followed.
  bool has_decisions() const { return has_decisions_; }
  bool is_random() const { return is_random_; }
  bool is_lockstep() const { return is_lockstep_; }
  bool descends() const { return descends_; }
  /// Whether other lanes may run before an access.
  bool permutes() const { return is_random_ || is_lockstep_ || has_decisions_; }

  /// Those of the lanes that come behind this one.
  lane_mask behind(lane_mask lanes, unsigned lane) const {
    const lane_mask below = (lane_mask{1} << lane) - 1;
    return descends_ ? lanes & below : lanes & ~(below | lane_mask{1} << lane);
  }

  /// A random number below `end`, which is at most the number of a block's lanes.
  unsigned below(unsigned end) { return static_cast<unsigned>((next_random(state_) >> 32) * end >> 32); }

  /// All of one or more lanes, or any of them, each as often as the other.
  lane_mask part_of(lane_mask lanes) {
    if (below(2) == 0) return lanes;
    const lane_mask part = lanes & next_random(state_);
    return part != 0 ? part : lanes;
  }

  /// One of one or more lanes.
  unsigned lane_of(lane_mask lanes) {
    if (descends_) return 63 - static_cast<unsigned>(__builtin_clzll(lanes));
    if (is_random_) {
      for (unsigned skipped = below(static_cast<unsigned>(__builtin_popcountll(lanes))); skipped > 0; --skipped) {
        lanes &= lanes - 1;
      }
    }
    return static_cast<unsigned>(__builtin_ctzll(lanes));
  }

 private:
  bool is_ascending_ = true;
  bool has_decisions_ = false;
  bool is_random_ = false;
  bool is_lockstep_ = false;
  bool descends_ = false;
  std::uint64_t state_ = 0;
};

/// The order of the blocks.
class block_order {
 public:
  block_order(const warpz_perturbation& perturbation, index3 grid, std::uint32_t launch = 0)
      : count_(std::uint64_t{grid.x} * grid.y * grid.z) {
    if (count_ < 2) return;
    choose(perturbation);
    if (perturbation.decisions != nullptr) decide(perturbation, grid, launch);
  }

  /// The block that begins as number `turn`.
  std::uint64_t at(std::uint64_t turn) const {
    if (!decided_.empty()) return decided_[turn];
    return chosen_at(turn);
  }

 private:
  /// The decisions of the blocks of larger launches are not recorded.
  static constexpr std::uint64_t max_decided = 65536;

  void choose(const warpz_perturbation& perturbation) {
    std::uint64_t seed = perturbation.schedule;
    if (seed == 0) {
      if (perturbation.descends != 0) first_ = step_ = count_ - 1;
      return;
    }
    first_ = next_random(seed) % count_;
    do {
      step_ = next_random(seed) % count_;
    } while (std::gcd(step_, count_) != 1);
  }

  std::uint64_t chosen_at(std::uint64_t turn) const {
    if (step_ == 1 && first_ == 0) return turn;
    return static_cast<std::uint64_t>((static_cast<__uint128_t>(turn) * step_ + first_) % count_);
  }

  /// Records the order of the blocks, or follows the decisions.
  void decide(const warpz_perturbation& perturbation, index3 grid, std::uint32_t launch) {
    if (count_ > max_decided) return;
    const auto count = static_cast<std::uint32_t>(count_);
    const bool records = perturbation.schedule != 0;
    order_decisions decisions;
    decisions.begin(*static_cast<warpz_schedule_record*>(perturbation.decisions), records, {launch, true, 0, grid, 1},
                    count);
    std::vector<bool> has_begun(count, false);
    const auto may_begin = [&](std::uint32_t block) { return !has_begun[block]; };
    for (std::uint32_t turn = 0, lowest = 0; turn < count; ++turn) {
      while (has_begun[lowest]) ++lowest;
      const std::uint32_t chosen = records ? static_cast<std::uint32_t>(chosen_at(turn)) : lowest;
      const std::uint32_t next = decisions.next(lowest, chosen, may_begin);
      decided_.push_back(next);
      has_begun[next] = true;
      decisions.arrive(next, {}, nullptr);
    }
  }

  std::uint64_t count_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;
  std::vector<std::uint32_t> decided_;  ///< empty: nothing is decided
};

}  // namespace simt

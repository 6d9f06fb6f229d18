// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which a launch's blocks begin, and which lane of a block runs where several are ready: ascending,
// descending, or as a seed decides. The same seed gives the same order on every machine.
#pragma once

#include <cstdint>
#include <numeric>

#include "abi/settings.h"
#include "simt/lane.hpp"

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
  void begin(std::uint64_t seed, std::uint64_t block, bool descends) {
    is_lockstep_ = seed != 0 && seed % warpz_lockstep_seeds == 0;
    is_random_ = seed != 0 && !is_lockstep_;
    descends_ = is_lockstep_ ? seed / warpz_lockstep_seeds % 2 == 1 : seed == 0 && descends;
    is_ascending_ = seed == 0 && !descends_;
    state_ = seed;
    state_ = next_random(state_) ^ block;
  }

  bool is_ascending() const { return is_ascending_; }
  bool is_random() const { return is_random_; }
  bool is_lockstep() const { return is_lockstep_; }
  bool descends() const { return descends_; }
  /// Whether other lanes may run before an access.
  bool permutes() const { return is_random_ || is_lockstep_; }

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
  bool is_random_ = false;
  bool is_lockstep_ = false;
  bool descends_ = false;
  std::uint64_t state_ = 0;
};

/// The order of the blocks.
class block_order {
 public:
  block_order(std::uint64_t seed, std::uint64_t count, bool descends) : count_(count) {
    if (count < 2) return;
    if (seed == 0) {
      if (descends) first_ = step_ = count - 1;
      return;
    }
    first_ = next_random(seed) % count;
    do {
      step_ = next_random(seed) % count;
    } while (std::gcd(step_, count) != 1);
  }

  /// The block that begins as number `turn`.
  std::uint64_t at(std::uint64_t turn) const {
    if (step_ == 1 && first_ == 0) return turn;
    return static_cast<std::uint64_t>((static_cast<__uint128_t>(turn) * step_ + first_) % count_);
  }

 private:
  std::uint64_t count_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;
};

}  // namespace simt

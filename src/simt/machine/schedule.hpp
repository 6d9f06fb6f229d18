// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which a launch's blocks begin, and which lane of a block runs where several are ready: ascending, or as
// a seed decides. The same seed gives the same order on every machine.
#pragma once

#include <cstdint>
#include <numeric>

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
  /// Seed 0: ascending.
  void begin(std::uint64_t seed, std::uint64_t block) {
    permutes_ = seed != 0;
    state_ = seed;
    state_ = next_random(state_) ^ block;
  }

  bool permutes() const { return permutes_; }

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
    if (permutes_) {
      for (unsigned skipped = below(static_cast<unsigned>(__builtin_popcountll(lanes))); skipped > 0; --skipped) {
        lanes &= lanes - 1;
      }
    }
    return static_cast<unsigned>(__builtin_ctzll(lanes));
  }

 private:
  bool permutes_ = false;
  std::uint64_t state_ = 0;
};

/// The order of the blocks.
class block_order {
 public:
  block_order(std::uint64_t seed, std::uint64_t count) : count_(count) {
    if (seed == 0 || count < 2) return;
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

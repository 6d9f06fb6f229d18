// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the accesses of lanes, which run one after the other, to the instructions that a warp executes together.
//
// Since the last time that the whole warp met, the n-th access of each lane at one place in the code belongs to the
// n-th execution of that place. A lane that leaves out a round of a loop in which others access memory is one ahead of
// them from then on.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abi/cost_record.h"
#include "simt/counters/warp_access.hpp"

namespace simt::counters {

/// A part of what the code at one address does. A large copy has several parts, and so has an access that reads and
/// writes.
struct instruction_place {
  std::uint64_t code;
  std::uint32_t part;  ///< the number of a large copy's part
  bool writes;
  bool is_shared;

  bool operator==(const instruction_place& other) const {
    return code == other.code && part == other.part && writes == other.writes && is_shared == other.is_shared;
  }
};

struct hash_of_place {
  std::size_t operator()(const instruction_place& place) const {
    return static_cast<std::size_t>((place.code * 2 + (place.writes ? 1 : 0)) * 0x9e3779b97f4a7c15 +
                                    std::size_t{place.part} * 2 + (place.is_shared ? 1 : 0));
  }
};

/// All executions of one place by one warp.
struct place_executions {
  warpz_cost_kind kind;
  const char* operation;  ///< the name of an atomic; null: it is unknown, or no atomic
  std::vector<lane_mask> lanes;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> addresses;       ///< for each execution, one for each lane
  std::uint32_t done_by[max_warp_size] = {};  ///< executions of each lane
};

/// An access that has been noted.
struct noted_access {
  place_executions* place = nullptr;  ///< null: none
  std::size_t number = 0;             ///< the execution of that place to which the access belongs
};

/// The instructions of one warp since its lanes last met.
class warp_instructions {
 public:
  using table = std::unordered_map<instruction_place, place_executions, hash_of_place>;

  explicit warp_instructions(unsigned warp_size) : warp_size_(warp_size) {}

  /// The lane's next access at that place, or nothing where the warp has no room left.
  noted_access add(const instruction_place& place, unsigned lane, std::uint64_t address, unsigned bytes);

  /// Makes a noted access one to other bytes.
  void change(const noted_access& noted, unsigned lane, std::uint64_t address, unsigned bytes) const {
    noted.place->addresses[noted.number * warp_size_ + lane] = address;
    noted.place->bytes[noted.number] = static_cast<std::uint8_t>(bytes);
  }

  /// Calls `use` with each place, its executions and, one after the other, the accesses.
  template <class Use>
  void for_each(const Use& use) const {
    warp_access access{};
    access.warp_size = warp_size_;
    for (const auto& [place, executions] : places_) {
      access.writes = place.writes;
      for (std::size_t i = 0; i < executions.lanes.size(); ++i) {
        access.lanes = executions.lanes[i];
        access.bytes = executions.bytes[i];
        for (unsigned lane = 0; lane < warp_size_; ++lane)
          access.address[lane] = executions.addresses[i * warp_size_ + lane];
        use(place, executions, access);
      }
    }
  }

  /// The lanes that have accessed anything.
  lane_mask lanes() const { return lanes_; }

  void clear() {
    places_.clear();
    executions_ = 0;
    lanes_ = 0;
  }

 private:
  static constexpr std::size_t max_executions = std::size_t{1} << 18;  ///< 128 MiB with 64 lanes

  unsigned warp_size_;
  table places_;
  std::size_t executions_ = 0;
  lane_mask lanes_ = 0;
};

}  // namespace simt::counters

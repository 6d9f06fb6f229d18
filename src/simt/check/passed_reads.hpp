// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that a lane reads and passes to another lane of its warp by a shuffle. If that lane then overwrites the
// memory, nothing orders the two accesses, but the value can't come before it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/check/checked_access.hpp"

namespace simt::check {

class passed_reads {
 public:
  void begin_block(unsigned threads) {
    lanes_.resize(threads);
    for (lane_receipts& each : lanes_) each.count = 0;
  }

  /// The results of a collective are there.
  void note_results(block_clocks& clocks, const warp& home, lane_mask group);

  /// Whether the reader's last read there was of these bytes, and the writer has got their value from it since. Nobody
  /// has written there yet.
  bool has_passed(const lane_clock& reader, std::uint32_t writer, std::uintptr_t address, std::size_t size) const;

 private:
  /// What a lane has got before is forgotten.
  static constexpr unsigned max_receipts = 4;

  struct receipt {
    std::uint64_t value;
    std::uint32_t from;         ///< the thread
    std::uint64_t reads_there;  ///< the number of its reads then
  };
  struct lane_receipts {
    std::uint64_t count;
    receipt latest[max_receipts];
  };

  std::vector<lane_receipts> lanes_;  ///< of each thread
};

}  // namespace simt::check

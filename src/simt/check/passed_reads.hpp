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
  void begin_block(unsigned threads) { lanes_.assign(threads, {}); }

  [[gnu::always_inline]] void note_read(std::uint32_t thread, std::uintptr_t address, std::size_t size) {
    lane_values& own = lanes_[thread];
    own.reads[own.read_count++ % max_reads] = {address, size};
  }

  /// The results of a collective are there.
  void note_results(const warp& home, lane_mask group);

  /// Whether the reader's last read there was of these bytes, and the writer has got their value from it since. Nobody
  /// has written there yet.
  bool has_passed(std::uint32_t reader, std::uint32_t writer, std::uintptr_t address, std::size_t size) const;

 private:
  /// What a lane has read or got before is forgotten.
  static constexpr unsigned max_reads = 8;
  static constexpr unsigned max_receipts = 4;

  struct read {
    std::uintptr_t address;
    std::size_t size;
  };
  struct receipt {
    std::uint64_t value;
    std::uint32_t from;         ///< the thread
    std::uint64_t reads_there;  ///< its read_count then
  };
  struct lane_values {
    std::uint64_t read_count;
    std::uint64_t receipt_count;
    read reads[max_reads];
    receipt receipts[max_receipts];
  };

  std::vector<lane_values> lanes_;  ///< of each thread
};

}  // namespace simt::check

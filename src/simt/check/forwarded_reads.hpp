// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that a lane reads and forwards to another lane of its warp by a shuffle. If that lane then overwrites the
// memory, nothing orders the two accesses, but the value cannot arrive before it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/check/checked_access.hpp"

namespace simt::check {

class forwarded_reads {
 public:
  void begin_block(unsigned threads) {
    counts_.assign(threads, {});
    lanes_.resize(threads);
  }

  [[gnu::always_inline]] void note_read(std::uint32_t thread, std::uintptr_t address, std::size_t size) {
    lanes_[thread].reads[counts_[thread].reads++ % max_reads] = read(address, size);
  }

  /// To be called when a collective has its results.
  void note_results(const warp& current_warp, lane_mask group);

  /// Whether the reader's last read there was of these bytes, and the writer has got their value from it since. Nobody
  /// has written there yet.
  bool has_forwarded(std::uint32_t reader, std::uint32_t writer, std::uintptr_t address, std::size_t size) const;

 private:
  /// Reads and receipts before the last so many are forgotten.
  static constexpr unsigned max_reads = 8;
  static constexpr unsigned max_receipts = 4;

  /// In one word, as the processor waits for two that it has just put in memory and copies as one.
  class read {
   public:
    read() = default;
    read(std::uintptr_t address, std::size_t size) : bits_(address << 8 | (size <= most ? size : 0)) {}
    std::uintptr_t address() const { return bits_ >> 8; }
    /// It ends anywhere: its size is not kept, as no shuffle forwards so much.
    bool is_long() const { return (bits_ & most) == 0; }
    std::size_t size() const { return bits_ & most; }

   private:
    static constexpr std::size_t most = 0xff;
    std::uint64_t bits_ = 0;
  };
  struct receipt {
    std::uint64_t value;
    std::uint32_t from;         ///< the thread
    std::uint32_t reads_there;  ///< how many reads that thread had done then
  };
  /// Aligned for the first-level cache, in which what all lanes of a warp touch should fit.
  struct alignas(64) lane_values {
    receipt receipts[max_receipts];
    read reads[max_reads];
  };
  struct lane_counts {
    std::uint32_t reads;
    std::uint32_t receipts;
  };

  std::vector<lane_counts> counts_;  ///< one for each thread of this block
  std::vector<lane_values> lanes_;   ///< one for each thread; what lies beyond its counts is an earlier block's
};

}  // namespace simt::check

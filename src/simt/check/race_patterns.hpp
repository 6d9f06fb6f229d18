// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a lane does next with memory that it has read shows what a race over it is about: an update that may be lost, or
// a first guess that a compare-and-swap checks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simt/check/checked_access.hpp"

namespace simt::check {

class race_patterns {
 public:
  void begin_block(unsigned threads) {
    if (count_ != 0 || watched_.size() != threads) watched_.assign(threads, {});
    count_ = 0;
  }

  bool is_watching() const { return count_ != 0; }

  /// The thread has read there what the write at `written_by` races with. If it writes there next, at the same place in
  /// the code, both are updates.
  void watch_update(std::uint32_t thread, std::uint32_t record, std::uintptr_t address, code_id written_by) {
    watch(thread, {record, address, written_by, 0, 0, 1});
  }

  /// The thread has read there, or reads now, what an atomic changes.
  void watch_read(std::uint32_t thread, std::uint32_t record, std::uintptr_t address, std::size_t size);

  /// The value that was at the next address that watch_read() gets, if another value is there already. Null: it is
  /// still there.
  void note_old_value(const void* value, std::size_t size);

  /// Whether the next access is a compare-and-swap, which notes the old value.
  bool is_compared() const { return old_value_.has_value(); }

  /// A thread accesses memory.
  void note_access(checked_access event);

  /// A thread compares and swaps.
  void note_compare(std::uint32_t thread, std::uintptr_t address, const void* expected, std::size_t size);

 private:
  struct watched_read {
    std::uint32_t record;
    std::uintptr_t address;  ///< 0: nothing is watched
    code_id written_by;      ///< the place of the write that an update races with
    std::size_t size;        ///< the size of the word that an atomic changes; 0: an update
    std::uint64_t value;
    std::uint64_t races;  ///< so many were reported for this read
  };
  void watch(std::uint32_t thread, const watched_read& read);
  void forget(watched_read& read);

  std::vector<watched_read> watched_;  ///< one for each thread
  unsigned count_ = 0;
  std::optional<std::uint64_t> old_value_;
};

}  // namespace simt::check

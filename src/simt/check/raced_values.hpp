// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes read in one data race, in a run that is to show whether anything depends on it: warpz_perturbation.raced.
//
// A read that comes behind the other lane's write gets other bits. They are in memory for that one load alone, which
// follows at once. So all pairs of the race are tried by an ascending and a descending order: each read is behind the
// write in one of the two.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/check/checked_access.hpp"

namespace simt::check {

class raced_values {
 public:
  void begin_block();

  /// The event is in a race with an earlier access.
  void note_race(const checked_access& event, access_stamp earlier, bool earlier_wrote);

  /// The load is done.
  [[gnu::always_inline]] void restore() {
    if (poisoned_bytes_ != 0) put_back();
  }

  /// Of a copy the value is used, and is read later.
  void note_copy(bool is_copied) { is_copied_ = is_copied; }

 private:
  static constexpr std::size_t max_bytes = 16;

  void put_back();

  bool is_watching_ = false;
  bool is_copied_ = false;
  std::uintptr_t address_ = 0;
  std::size_t poisoned_bytes_ = 0;
  unsigned char kept_[max_bytes] = {};
};

}  // namespace simt::check

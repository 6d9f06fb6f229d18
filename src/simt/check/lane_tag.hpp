// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who has accessed a word of shared memory since the last barrier of the block, in four bytes.
//
// The blocks of a trial note no more than this, as long as it shows that the order of accesses does not matter: one
// lane alone has accessed the word, or all accesses were reads, or all were atomics. Otherwise the trial is repeated
// with the stamps of all accesses (shadow_word.hpp), which know what else orders lanes than barriers.
#pragma once

#include <cstdint>

#include "simt/check/access_kind.hpp"

namespace simt::check {

/// Counts the barriers of a worker's blocks, from 1.
using barrier_interval = std::uint32_t;

/// Of the running block.
struct barrier_intervals {
  barrier_interval first = 0;  ///< what tags hold from before has no meaning
  barrier_interval now = 0;    ///< 0: accesses have no tags
};

/// All zeros: nobody has accessed the word.
class lane_tag {
 public:
  static constexpr barrier_interval max_interval = (1U << 19) - 2;

  constexpr lane_tag() = default;

  /// Stands for a word with bytes that belong to no variable.
  static constexpr lane_tag no_variable() { return lane_tag(~0U); }

  /// Whether the block has written the word.
  bool holds_value(const barrier_intervals& intervals) const {
    return bits_ >> interval_shift >= intervals.first && (bits_ & value_bit) != 0;
  }

  /// The word counts as written when the block began.
  void allow_unwritten(const barrier_intervals& intervals) {
    if (bits_ >> interval_shift < intervals.first) bits_ = intervals.first << interval_shift | value_bit | reading;
  }

  /// A lane of the block accesses the word. False: it may depend on the order.
  [[gnu::always_inline]] bool note(const barrier_intervals& intervals, std::uint32_t thread, access_kind kind) {
    const std::uint32_t state = bits_ & state_mask;
    const bool is_new = bits_ >> interval_shift != intervals.now;
    if (!is_new && kind == access_kind::read && state == shared_reading) return true;
    if (is_new && bits_ == no_variable().bits_) return false;
    const bool is_same_lane = (bits_ & thread_mask) == thread;
    std::uint32_t next = is_atomic(kind) ? changing : writes(kind) ? writing : reading;
    if (!is_new) {
      if (is_atomic(kind) || state == changing) {
        if (!is_atomic(kind) || state != changing) return false;
      } else if (state != shared_reading && is_same_lane) {
        next = state > next ? state : next;
      } else if (state == reading && !writes(kind)) {
        next = shared_reading;
      } else {
        return false;
      }
    }
    const std::uint32_t value = writes(kind) || holds_value(intervals) ? value_bit : 0;
    bits_ = intervals.now << interval_shift | value | next | thread;
    return true;
  }

 private:
  explicit constexpr lane_tag(std::uint32_t bits) : bits_(bits) {}

  //     bit   31 … 13    12              11 … 10   9 … 0
  //           interval   holds a value   state     thread
  static constexpr unsigned interval_shift = 13;
  static constexpr std::uint32_t value_bit = 1U << 12, state_mask = 3U << 10, thread_mask = (1U << 10) - 1;
  // Of the accesses in that interval. The first two are of one lane alone.
  static constexpr std::uint32_t reading = 0U << 10, writing = 1U << 10, shared_reading = 2U << 10, changing = 3U << 10;

  std::uint32_t bits_ = 0;
};

static_assert(sizeof(lane_tag) == 4);

}  // namespace simt::check

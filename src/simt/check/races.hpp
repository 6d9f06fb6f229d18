// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of two lanes to the same memory, one of them a write, that nothing orders.
//
// Keeps the shadow memory up to date, and so answers for the checks that follow whether the memory was written, and
// whether it belongs to a variable: one pass over the shadow words serves all three.
#pragma once

#include <string>

#include "simt/check/checked_access.hpp"
#include "simt/check/forwarded_reads.hpp"
#include "simt/check/race_patterns.hpp"
#include "simt/check/raced_values.hpp"
#include "simt/check/trial_pages.hpp"

namespace simt::check {

class races : public access_check {
 public:
  void begin_block(checked_block& block, std::uint64_t) {
    // A race ends a trial before it is told.
    tells_of_races_ = !block.in_trial;
    if (!tells_of_races_) return;
    patterns_.begin_block(block.current->lane_count());
    forwarded_.begin_block(block.current->lane_count());
    raced_.begin_block();
  }
  void end_block() { before_access(); }
  void synchronize() { before_access(); }
  void end_collective(const warp& current_warp, const pending_collective& met) {
    if (tells_of_races_) forwarded_.note_results(current_warp, met.arrived);
  }
  [[gnu::always_inline]] void before_access() {
    decide_pending();
    raced_.restore();
  }

  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    reported_ = false;
    if (patterns_.is_watching()) patterns_.note_access(event);
    if (event.kind == access_kind::read && tells_of_races_)
      forwarded_.note_read(event.clock.thread, event.address, event.size);
    if (event.memory->of_page != nullptr) {
      const std::uintptr_t last = event.address + event.size - 1;
      if ((event.address ^ last) >> page_bits != 0) return access_pages(block, event);
      event.memory->of_page->note(event.address, event.size, event.kind);
      if (!event.memory->of_page->has_stamps) {
        event.holds_value = event.memory->initialised;
        return true;
      }
    }
    if (block.intervals.now != 0 && event.memory->tags != nullptr) return access_tags(block, event);
    shadow_word& first = event.memory->word_at(event.address);
    first.claim();
    event.holds_value = event.memory->initialised;
    if (event.size == 4 && event.address % 4 == 0 && !first.is_split()) {
      access_word(block, event, first);
    } else {
      const shadow_state state = access_words_and_bytes(block, event);
      event.holds_value = state.holds_value;
      event.misses_variable = state.misses_variable;
    }
    return true;
  }

  /// The next accesses, until it is called with false, are parts of a copy.
  void note_copy(bool is_copied) { raced_.note_copy(is_copied); }

  void note_old_value(const void* value, std::size_t size) { patterns_.note_old_value(value, size); }

  /// The next access is a volatile read that counts as an atomic. It is undefined in C++ if another lane has set the
  /// memory by an atomic and nothing orders the two.
  void poll(checked_block& block, const checked_access& event);

  /// The running lane compares and swaps.
  void compare(std::uintptr_t address, const void* expected, std::size_t size) {
    if (patterns_.is_watching()) patterns_.note_compare(checked_block::running().thread, address, expected, size);
  }

 private:
  /// What shadow memory says of an access (checked_access).
  struct shadow_state {
    bool holds_value;
    bool misses_variable;
  };

  struct earlier_access {
    access_stamp self;
    bool wrote = false;
    bool was_forwarded = false;     ///< the present lane has got by a shuffle what it read
    bool is_polled = false;         ///< the present access is a volatile read
    bool is_before_atomic = false;  ///< by an atomic, and a later atomic comes before the present access
  };

  /// Two writes race. Whether both write the same value, which is only a warning, shows when the second one is done.
  struct pending_race {
    bool exists = false;
    std::uint32_t record = 0;
    std::uintptr_t address = 0;
    std::string before;
  };

  void decide_pending() {
    if (pending_.exists) compare_pending();
  }
  void compare_pending();

  void access_word(checked_block& block, checked_access& event, shadow_word& word);
  bool access_pages(checked_block& block, checked_access& event);
  static bool access_tags(checked_block& block, checked_access& event);
  shadow_state access_words_and_bytes(checked_block& block, checked_access event);
  void access_byte(checked_block& block, checked_access& event, shadow_byte& byte);
  static bool lacks_fence(const checked_block& block, const checked_access& event, access_stamp earlier);
  static bool is_unordered(const checked_block& block, const checked_access& event, access_stamp earlier);
  static bool conflicts(const checked_block& block, const checked_access& event, access_stamp earlier);
  static bool has_room(const checked_block& block, const region& memory, const lane_clock& clock,
                       const shadow_word& word);
  static void keep_reader(const checked_block& block, const region& memory, const lane_clock& clock, shadow_word& word);
  static void add_reader(checked_block& block, const checked_access& event, shadow_word& word);
  static bool readers_may_conflict(const checked_access& event, const shadow_word& word);
  static earlier_access other_access(const shadow_word& word) {
    const bool is_before_atomic = word.other_is_write() && is_atomic_code(word.other().code());
    return {word.other(), word.other_is_write(), false, false, is_before_atomic};
  }
  earlier_access conflicting_reader(const checked_block& block, checked_access event, const shadow_word& word) const;
  earlier_access conflict_before_write(const checked_block& block, checked_access event, const shadow_word& word) const;
  void write_by_atomic(const checked_block& block, checked_access event, shadow_word& word) const;
  bool has_forwarded(checked_access event, access_stamp reader) const;
  void report_race(checked_block& block, checked_access event, earlier_access earlier);
  void watch(const checked_access& event, const earlier_access& earlier, std::uint32_t record);

  pending_race pending_;
  race_patterns patterns_;
  forwarded_reads forwarded_;
  raced_values raced_;
  bool tells_of_races_ = true;
  bool reported_ = false;  ///< one race is reported for each access
};

/// Whether only a barrier orders an access of another block before this one, where a fence should.
[[gnu::always_inline]] inline bool races::lacks_fence(const checked_block& block, const checked_access& event,
                                                      access_stamp earlier) {
  return !event.memory->per_block && block.clocks.lacks_fence(event.clock, earlier.time(), earlier.thread());
}

/// Whether nothing orders an earlier access before this one.
[[gnu::always_inline]] inline bool races::is_unordered(const checked_block& block, const checked_access& event,
                                                       access_stamp earlier) {
  return earlier.exists() && !earlier.is_same_step(event.self) &&
         (!block.happens_before(*event.memory, event.clock, earlier) || lacks_fence(block, event, earlier));
}

/// Two atomics need no order.
[[gnu::always_inline]] inline bool races::conflicts(const checked_block& block, const checked_access& event,
                                                    access_stamp earlier) {
  return is_unordered(block, event, earlier) && !(is_atomic(event.kind) && is_atomic_code(earlier.code()));
}

/// Whether a write may conflict with the word's readers. All have read at one time: a barrier since then is behind all.
inline bool races::readers_may_conflict(const checked_access& event, const shadow_word& word) {
  return word.readers() != 0 && !(event.memory->per_block && event.clock.joined.all_before > word.read_time());
}

// A checked kernel spends most of its time in the next two functions: with a call it takes a quarter longer.
[[gnu::always_inline]] inline void races::access_word(checked_block& block, checked_access& event, shadow_word& word) {
  if (event.memory->per_block) word.forget_before(block.clocks.first());
  const access_stamp written = word.last_write();
  event.holds_value |= written.exists();
  if (conflicts(block, event, written)) report_race(block, event, {written, true});
  if (!writes(event.kind)) {
    if (word.other_is_write() && conflicts(block, event, word.other())) report_race(block, event, other_access(word));
    add_reader(block, event, word);
    return;
  }
  if (readers_may_conflict(event, word) || conflicts(block, event, word.other())) {
    const earlier_access earlier = conflict_before_write(block, event, word);
    if (earlier.self.exists()) report_race(block, event, earlier);
  }
  if (is_atomic(event.kind)) {
    write_by_atomic(block, event, word);
  } else {
    word.set_write(event.self);
  }
}

/// Whether a reader may be kept as the word's other access.
inline bool races::has_room(const checked_block& block, const region& memory, const lane_clock& clock,
                            const shadow_word& word) {
  const access_stamp other = word.other();
  return !other.exists() || (!word.other_is_write() && block.happens_before(memory, clock, other));
}

[[gnu::always_inline]] inline void races::add_reader(checked_block& block, const checked_access& event,
                                                     shadow_word& word) {
  const region& memory = *event.memory;
  const timestamp now = event.self.time();
  const unsigned warp = checked_block::running().warp->index, lane = event.self.thread() - warp * block.warp_size;
  const bool is_one_more = word.readers() != 0 && word.read_time() == now && word.reader_warp() == warp;
  if (!is_one_more) {
    if (word.readers() != 0) keep_reader(block, memory, event.clock, word);
    return word.set_reader(now, warp, lane, event.self.code());
  }
  // The lanes of a warp mostly read at one place in the code.
  if (word.read_code() == event.self.code()) return word.add_reader(lane, memory.tail_of(word));
  // Plain readers replace atomic ones, which race with fewer writes.
  const bool others_are_atomic = is_atomic_code(word.read_code());
  if (is_atomic(event.kind) && !others_are_atomic) return;
  if (!is_atomic(event.kind) && others_are_atomic) return word.set_reader(now, warp, lane, event.self.code());
  if (has_room(block, memory, event.clock, word)) return word.set_other_read(event.self);
  word.add_reader_elsewhere(lane, event.self.code(), memory.tail_of(word));
}

}  // namespace simt::check

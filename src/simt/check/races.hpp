// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of two lanes to the same memory, one of them a write, that nothing orders.
//
// Keeps the shadow memory up to date, and so answers for the checks that follow whether the memory was written, and
// whether it belongs to a variable: one pass over the shadow words serves all three.
#pragma once

#include "simt/check/checked_access.hpp"
#include "simt/check/passed_reads.hpp"
#include "simt/check/race_patterns.hpp"

namespace simt::check {

class races : public access_check {
 public:
  void begin_block(checked_block& block, std::uint64_t) {
    patterns_.begin_block(block.current->lane_count());
    passed_.begin_block(block.current->lane_count());
  }
  void end_block() { decide_pending(); }
  void synchronize() { decide_pending(); }
  void end_collective(const warp& home, lane_mask group) { passed_.note_results(home, group); }
  [[gnu::always_inline]] void before_access() { decide_pending(); }

  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    reported_ = false;
    if (patterns_.is_watching()) patterns_.note_access(event);
    if (event.kind == access_kind::read) passed_.note_read(event.clock.thread, event.address, event.size);
    shadow_word& first = event.memory->word_at(event.address);
    claim(first);
    event.holds_value = event.memory->initialised;
    if (event.size == 4 && event.address % 4 == 0 && (first.readers & in_parts) == 0) {
      access_word(block, event, first);
    } else {
      const shadow_state state = access_words_and_bytes(block, event);
      event.holds_value = state.holds_value;
      event.misses_variable = state.misses_variable;
    }
    return true;
  }

  void note_old_value(const void* value, std::size_t size) { patterns_.note_old_value(value, size); }

  /// A volatile read comes next that counts as an atomic. Where another lane has set the memory by an atomic, and
  /// nothing orders the two, C++ does not define it.
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
    access self;
    bool wrote;
    bool was_passed = false;  ///< what it read has come to the present lane by a shuffle
    bool is_polled = false;   ///< by a volatile read
  };

  /// Two writes race. Whether both write the same value, which is only a warning, shows when the second one is done.
  struct pending_race {
    bool exists = false;
    std::uint32_t record = 0;
    std::uintptr_t address = 0;
    std::size_t size = 0;
    unsigned char before[16] = {};
  };

  void decide_pending() {
    if (pending_.exists) compare_pending();
  }
  void compare_pending();

  void access_word(checked_block& block, checked_access& event, shadow_word& word);
  shadow_state access_words_and_bytes(checked_block& block, checked_access event);
  void access_byte(checked_block& block, checked_access& event, shadow_byte& byte);
  static void add_reader(checked_block& block, const checked_access& event, shadow_word& word);
  static void replace_readers(checked_block& block, const region& memory, const lane_clock& clock, access self,
                              shadow_word& word);
  void hide_behind_atomic(const checked_block& block, checked_access event, shadow_word& word) const;
  bool has_passed(checked_access event, access reader) const;
  void report_race(checked_block& block, checked_access event, earlier_access earlier);
  void watch(const checked_access& event, const earlier_access& earlier, std::uint32_t record);

  pending_race pending_;
  race_patterns patterns_;
  passed_reads passed_;
  bool reported_ = false;  ///< one race is reported for each access
};

/// Of two accesses: by the same lane, and it has released nothing between them.
constexpr bool is_same_step(access a, access b) { return (a ^ b) >> thread_shift == 0; }

inline unsigned highest(lane_mask lanes) { return 63 - static_cast<unsigned>(__builtin_clzll(lanes)); }

/// Where the lane has read the word last; 0: not known. An atomic's place says that it is one.
inline code_id place_of_reader(const region& memory, const shadow_word& word, unsigned lane) {
  const code_id code = code_of(word.readers);
  const bool is_known = (word.readers & readers_in_places) == 0 || (memory.readers_there(word) & bit(lane)) != 0;
  return is_known || is_atomic_code(code) ? code : 0;
}

// A checked kernel spends most of its time in the next two functions: with a call it takes a quarter longer.
[[gnu::always_inline]] inline void races::access_word(checked_block& block, checked_access& event, shadow_word& word) {
  const region& memory = *event.memory;
  const timestamp first = block.clocks.first();
  if (memory.of_block && time_of(word.written) < first) {
    word.written = 0;
    word.readers &= ~initialised_bits;
    if (time_of(word.readers) < first) word.lanes = 0;
    if (time_of(word.other) < first) word.other = 0;
  }
  const access written = word.written;
  const bool atomic = is_atomic(event.kind);
  if (written != 0 && !is_same_step(written, event.self) && !block.happens_before(memory, event.clock, written) &&
      !(atomic && is_atomic_code(code_of(written)))) {
    report_race(block, event, {written, true});
  }
  event.holds_value |= (word.readers & initialised_bits) != 0;
  const access other = word.other;
  if (!writes(event.kind)) {
    if ((other & is_write) != 0 && !is_same_step(other, event.self) &&
        !block.happens_before(memory, event.clock, other) && !(atomic && is_atomic_code(code_of(other))))
      report_race(block, event, {other & ~is_write, true});
    add_reader(block, event, word);
    return;
  }
  const unsigned first_thread = warp_of(word.readers) * block.warp_size;
  const bool only_atomics = atomic && is_atomic_code(code_of(word.readers));
  // All of them have read at one time: a barrier since then is behind all.
  const bool are_ordered = memory.of_block && event.clock.joined.all_before > time_of(word.readers);
  lane_mask readers = only_atomics || are_ordered ? 0 : word.lanes;
  bool other_races = other != 0 && !is_same_step(other, event.self) &&
                     !block.happens_before(memory, event.clock, other) && !(atomic && is_atomic_code(code_of(other)));
  access racing = 0, passed = 0;
  for (; readers != 0; readers &= ~bit(highest(readers))) {
    const unsigned lane = highest(readers);
    access reader = make_access(time_of(word.readers), first_thread + lane, 0);
    if (is_same_step(reader, event.self) || block.happens_before(memory, event.clock, reader)) continue;
    reader |= place_of_reader(memory, word, lane);
    if (has_passed(event, reader)) {
      passed = reader;
      continue;
    }
    racing = reader;
    // Rather one whose place is known.
    if (code_of(reader) != 0) break;
  }
  if (other_races && (other & is_write) == 0 && has_passed(event, other)) {
    passed = other;
    other_races = false;
  }
  const bool is_later = time_of(other) == time_of(racing) && thread_of(other) > thread_of(racing);
  if (other_races && (code_of(racing) == 0 || is_later)) racing = other;
  if (racing != 0) report_race(block, event, {racing & ~is_write, (racing & is_write) != 0});
  if (racing == 0 && passed != 0) report_race(block, event, {passed, false, true});
  if (atomic) {
    hide_behind_atomic(block, event, word);
  } else {
    word.other = 0;
    word.lanes = 0;
  }
  word.written = event.self;
  word.readers = (word.lanes == 0 ? 0 : word.readers) | initialised_bits;
}

[[gnu::always_inline]] inline void races::add_reader(checked_block& block, const checked_access& event,
                                                     shadow_word& word) {
  const unsigned warp = checked_block::running().home->index;
  if (word.lanes == 0 || time_of(word.readers) != time_of(event.self) || warp_of(word.readers) != warp) {
    replace_readers(block, *event.memory, event.clock, event.self, word);
    return;
  }
  const lane_mask self = bit(thread_of(event.self) - warp * block.warp_size);
  // The lanes of a warp mostly read at one place in the code.
  if (code_of(word.readers) == code_of(event.self)) {
    word.lanes |= self;
    if ((word.readers & readers_in_places) != 0) event.memory->readers_there(word) |= self;
    return;
  }
  // Plain readers replace atomic ones, which race with fewer writes.
  const bool others_are_atomic = is_atomic_code(code_of(word.readers));
  if (is_atomic(event.kind) && !others_are_atomic) return;
  if (!is_atomic(event.kind) && others_are_atomic) {
    word.lanes = 0;
    word.readers &= ~readers_in_places;
  } else if (word.other == 0 ||
             ((word.other & is_write) == 0 &&
              (is_same_step(word.other, event.self) || block.happens_before(*event.memory, event.clock, word.other)))) {
    word.other = event.self;
    return;
  } else {
    word.readers |= readers_in_places;
    event.memory->readers_there(word) = self;
  }
  word.lanes |= self;
  word.readers = (word.readers & ~std::uint64_t{code_id_mask}) | code_of(event.self);
}

}  // namespace simt::check

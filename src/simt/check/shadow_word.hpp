// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of one word of four bytes: its last write, and the reads since.
//
// The shadow of a word takes 32 bytes. A word that is accessed in parts is split: each of its bytes then has 16, two of
// them in the word's tail, which other words hardly use. So each byte touched costs at most 16 bytes.
#pragma once

#include <cstdint>

#include "simt/check/code_ids.hpp"
#include "simt/check/vector_clock.hpp"

namespace simt::check {

/// One access: when, by which thread of the block, from which place in the code.
///
///     bit   63 … 32     31 … 22   21    20 … 0
///           timestamp   thread    0     code
class access_stamp {
 public:
  /// No access.
  constexpr access_stamp() = default;

  constexpr access_stamp(timestamp time, std::uint32_t thread, code_id code)
      : bits_(std::uint64_t{time} << time_shift | std::uint64_t{thread} << thread_shift | code) {}

  /// Stands for the last write of a byte that belongs to no variable. No access has the timestamp 0.
  static constexpr access_stamp no_variable() { return {0, thread_mask, code_id_mask}; }

  constexpr bool exists() const { return bits_ != 0; }
  constexpr timestamp time() const { return static_cast<timestamp>(bits_ >> time_shift); }
  constexpr std::uint32_t thread() const { return static_cast<std::uint32_t>(bits_ >> thread_shift) & thread_mask; }
  constexpr code_id code() const { return static_cast<code_id>(bits_) & code_id_mask; }

  /// Whether one lane has done both, and has released nothing between them.
  constexpr bool is_same_step(access_stamp other) const { return (bits_ ^ other.bits_) >> thread_shift == 0; }

  friend constexpr bool operator==(access_stamp a, access_stamp b) { return a.bits_ == b.bits_; }

 private:
  friend class shadow_word;
  static constexpr unsigned time_shift = 32, thread_shift = code_id_bits + 1;
  static constexpr std::uint32_t thread_mask = 1023;
  /// No stamp has this bit. Where shadow memory keeps a stamp, the bit says something else.
  static constexpr std::uint64_t spare_bit = std::uint64_t{1} << code_id_bits;

  explicit constexpr access_stamp(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits_ = 0;
};

/// The last accesses of one byte of a split word.
struct shadow_byte {
  access_stamp write;
  access_stamp read;
};

/// The second part of a word's shadow. If the word is split, the shadow of its last two bytes; else where the readers
/// have read, if that is at several places: at the last place, and at the two before that.
class shadow_tail {
  friend class shadow_word;
  std::uint64_t slots_[4];
};

/// All zeros: nobody has accessed the word.
///
/// Its readers are the lanes of one warp that have read at one time. The other access is one more reader; or, behind an
/// atomic write, a write before it: the last plain one, or else another lane's.
class shadow_word {
 public:
  /// To be called before the word is read: for a page that is read first the system provides a page of zeros, and
  /// another one when it is written, which takes longer than all the rest of a check.
  void claim() {
#ifdef __x86_64__
    asm("orq $0, %0" : "+m"(slots_[other_slot]));
#endif
  }

  bool is_split() const { return (slots_[readers_slot] & split_bit) != 0; }

  // What follows is for a word that is not split.

  access_stamp last_write() const { return access_stamp(slots_[write_slot]); }

  lane_mask readers() const { return slots_[lanes_slot]; }
  timestamp read_time() const { return static_cast<timestamp>(slots_[readers_slot] >> access_stamp::time_shift); }
  unsigned reader_warp() const { return static_cast<unsigned>(slots_[readers_slot] >> warp_shift) & warp_mask; }
  /// The place in the code where the readers have read; if at several, the last one.
  code_id read_code() const { return static_cast<code_id>(slots_[readers_slot]) & code_id_mask; }
  /// The last of the remembered places where this reader has read; 0: at none of them.
  code_id read_code_of(unsigned lane, const shadow_tail& tail) const {
    if (!has_several_places()) return read_code();
    const auto has_read_at = [&](unsigned slot) { return (tail.slots_[slot] >> lane & 1) != 0; };
    if (has_read_at(last_place_slot)) return read_code();
    if (has_read_at(second_place_slot)) return second_code(tail);
    return has_read_at(third_place_slot) ? third_code(tail) : 0;
  }

  access_stamp other() const { return access_stamp(slots_[other_slot] & ~other_write_bit); }
  bool other_is_write() const { return (slots_[other_slot] & other_write_bit) != 0; }

  /// A block begins with this timestamp: accesses to shared memory before it do not count.
  void forget_before(timestamp first) {
    if (last_write().time() >= first) return;
    slots_[write_slot] = 0;
    if (read_time() < first) slots_[lanes_slot] = 0;
    if (other().time() < first) slots_[other_slot] = 0;
  }

  /// Makes this lane the only reader.
  void set_reader(timestamp time, unsigned warp, unsigned lane, code_id code) {
    slots_[lanes_slot] = lane_mask{1} << lane;
    slots_[readers_slot] = std::uint64_t{time} << access_stamp::time_shift | std::uint64_t{warp} << warp_shift | code;
  }

  /// Adds a lane of the readers' warp that has read at their time and last place.
  void add_reader(unsigned lane, shadow_tail& tail) {
    const lane_mask self = lane_mask{1} << lane;
    slots_[lanes_slot] |= self;
    if (has_several_places()) tail.slots_[last_place_slot] |= self;
  }

  /// Adds a lane of the readers' warp that has read at their time and at another place, which becomes the last one. Of
  /// more than three places the one that was the last least recently is forgotten.
  void add_reader_elsewhere(unsigned lane, code_id code, shadow_tail& tail) {
    const lane_mask self = lane_mask{1} << lane;
    if (!has_several_places()) {
      tail.slots_[last_place_slot] = slots_[lanes_slot];
      tail.slots_[second_place_slot] = tail.slots_[third_place_slot] = tail.slots_[codes_slot] = 0;
    }
    const code_id second = second_code(tail), third = third_code(tail);
    const lane_mask lanes[] = {tail.slots_[last_place_slot], tail.slots_[second_place_slot],
                               tail.slots_[third_place_slot]};
    const bool is_second = code == second, is_third = !is_second && code == third;
    tail.slots_[last_place_slot] = (is_second ? lanes[1] : is_third ? lanes[2] : 0) | self;
    tail.slots_[second_place_slot] = lanes[0];
    if (!is_second) tail.slots_[third_place_slot] = lanes[1];
    tail.slots_[codes_slot] = std::uint64_t{read_code()} | std::uint64_t{is_second ? third : second}
                                                               << third_code_shift;
    slots_[lanes_slot] |= self;
    slots_[readers_slot] = (slots_[readers_slot] & ~std::uint64_t{code_id_mask}) | several_places_bit | code;
  }

  void set_other_read(access_stamp read) { slots_[other_slot] = read.bits_; }
  void set_other_write(access_stamp write) { slots_[other_slot] = write.bits_ | other_write_bit; }
  void clear_other() { slots_[other_slot] = 0; }

  /// Notes a plain write. No access before it matters any more.
  void set_write(access_stamp write) {
    slots_[write_slot] = write.bits_;
    slots_[lanes_slot] = slots_[readers_slot] = slots_[other_slot] = 0;
  }

  /// Notes an atomic write. The other access still matters behind it, and of the readers these.
  void set_atomic_write(access_stamp write, lane_mask kept_readers) {
    slots_[write_slot] = write.bits_;
    slots_[lanes_slot] &= kept_readers;
    if (slots_[lanes_slot] == 0) slots_[readers_slot] = 0;
  }

  /// From now on each byte has a shadow of its own. At first they are all alike.
  void split(const shadow_byte& each, shadow_tail& tail) {
    for (unsigned number = 0; number < 4; ++number) set_byte(number, each, tail);
  }

  // What follows is for a split word. Bytes count from 0.

  shadow_byte byte(unsigned number, const shadow_tail& tail) const {
    const std::uint64_t* const slots = number < 2 ? slots_ : tail.slots_;
    const unsigned first = number % 2 * 2;
    return {access_stamp(slots[first] & ~split_bit), access_stamp(slots[first + 1])};
  }

  void set_byte(unsigned number, const shadow_byte& byte, shadow_tail& tail) {
    std::uint64_t* const slots = number < 2 ? slots_ : tail.slots_;
    const unsigned first = number % 2 * 2;
    slots[first] = byte.write.bits_ | (number == 1 ? split_bit : 0);
    slots[first + 1] = byte.read.bits_;
  }

 private:
  bool has_several_places() const { return (slots_[readers_slot] & several_places_bit) != 0; }
  static code_id second_code(const shadow_tail& tail) {
    return static_cast<code_id>(tail.slots_[codes_slot]) & code_id_mask;
  }
  static code_id third_code(const shadow_tail& tail) {
    return static_cast<code_id>(tail.slots_[codes_slot] >> third_code_shift) & code_id_mask;
  }

  //     slot      of a word                                                       of a split word
  //     write     stamp of the last write                                         byte 0: its write
  //     lanes     the readers                                                     byte 0: its read
  //     readers   timestamp, several places, warp, split, code: as in a stamp     byte 1: its write, split
  //     other     stamp of the other access, with the spare bit if it is a write  byte 1: its read
  static constexpr unsigned write_slot = 0, lanes_slot = 1, readers_slot = 2, other_slot = 3;
  // In the tail: the lanes that have read at each place, and the codes of the second and the third one.
  static constexpr unsigned last_place_slot = 0, second_place_slot = 1, third_place_slot = 2, codes_slot = 3;
  static constexpr unsigned third_code_shift = 32;

  static constexpr std::uint64_t split_bit = access_stamp::spare_bit, other_write_bit = access_stamp::spare_bit;
  static constexpr std::uint64_t several_places_bit = std::uint64_t{1} << 31;
  static constexpr unsigned warp_shift = access_stamp::thread_shift;
  static constexpr std::uint32_t warp_mask = 31;

  std::uint64_t slots_[4];
};

static_assert(sizeof(shadow_word) == 32 && sizeof(shadow_tail) == sizeof(shadow_word));

}  // namespace simt::check

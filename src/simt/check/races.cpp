// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/races.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simt/check/reports.hpp"
#include "simt/check/unwritten_reads.hpp"

namespace simt::check {
namespace {

/// From now on each byte of the word has a shadow of its own.
void split(const checked_block& block, const region& memory, shadow_word& word, shadow_byte* last_bytes) {
  const shadow_word whole = word;
  const bool is_stale = memory.of_block && time_of(whole.written) < block.clocks.first();
  shadow_byte each{};
  if (!is_stale && (whole.readers & initialised_bits) != 0) each.written = whole.written;
  if (whole.lanes != 0) {
    const unsigned lane = highest(whole.lanes);
    each.read = make_access(time_of(whole.readers), warp_of(whole.readers) * block.warp_size + lane,
                            place_of_reader(memory, word, lane));
  }
  shadow_byte* const first_bytes = reinterpret_cast<shadow_byte*>(&word);
  first_bytes[0] = first_bytes[1] = last_bytes[0] = last_bytes[1] = each;
  first_bytes[1].written |= in_parts;
}

/// As many a value is that has nothing to do with this memory, of at most 8 bytes.
bool is_zero(std::uintptr_t address, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value == 0;
}

bool is_same_block(access a, access b) { return block_of_timestamp(time_of(a)) == block_of_timestamp(time_of(b)); }

}  // namespace

void races::replace_readers(checked_block& block, const region& memory, const lane_clock& clock, access self,
                            shadow_word& word) {
  const unsigned warp = checked_block::running().home->index;
  const access other = word.other;
  // One of the readers before is kept, if the present one is not ordered behind it and there is room.
  const bool is_free = other == 0 || ((other & is_write) == 0 && block.happens_before(memory, clock, other));
  if (word.lanes != 0 && is_free) {
    const unsigned first_thread = warp_of(word.readers) * block.warp_size;
    const unsigned lane = highest(word.lanes);
    const access before = make_access(time_of(word.readers), first_thread + lane, 0);
    if (!block.happens_before(memory, clock, before)) word.other = before | place_of_reader(memory, word, lane);
  }
  word.lanes = bit(thread_of(self) - warp * block.warp_size);
  word.readers = (word.readers & initialised_bits) | access{time_of(self)} << 32 | std::uint64_t{warp} << warp_shift |
                 code_of(self);
}

/// Others' atomics are no race with this atomic, but may be one with what came before it: with a plain write; with an
/// atomic, if what comes is plain; with a plain read of this lane. Keeps one write, and that read unless the atomic is
/// a compare-and-swap, which checks what was read.
void races::hide_behind_atomic(const checked_block& block, checked_access event, shadow_word& word) const {
  const access written = word.written, other = word.other;
  const auto is_behind = [&](access earlier) { return block.happens_before(*event.memory, event.clock, earlier); };
  if (written != 0 && !is_atomic_code(code_of(written))) {
    word.other = written | is_write;
  } else if ((other & is_write) == 0 || (is_atomic_code(code_of(other)) && is_behind(other))) {
    word.other = written != 0 && !is_behind(written) ? written | is_write : 0;
  }
  const std::uint32_t thread = thread_of(event.self);
  const bool is_own = !is_atomic_code(code_of(word.readers)) && time_of(word.readers) == time_of(event.self) &&
                      warp_of(word.readers) == thread / block.warp_size && !patterns_.is_compared();
  word.lanes &= is_own ? bit(thread % block.warp_size) : 0;
}

void races::access_byte(checked_block& block, checked_access& event, shadow_byte& byte) {
  const region& memory = *event.memory;
  const auto is_stale = [&](access other) { return memory.of_block && time_of(other) < block.clocks.first(); };
  const auto is_unordered = [&](access other) {
    return other != 0 && !is_stale(other) && !is_same_step(other, event.self) &&
           !block.clocks.happens_before(event.clock, time_of(other), thread_of(other)) &&
           !(is_atomic(event.kind) && is_atomic_code(code_of(other)));
  };
  const access written = byte.written & ~in_parts;
  const access mark = byte.written & in_parts;
  if (written == no_variable) {
    event.misses_variable = true;
    return;
  }
  if (is_unordered(written)) report_race(block, event, {written, true});
  event.holds_value |= written != 0 && !is_stale(written);
  if (!writes(event.kind)) {
    if (!is_unordered(byte.read)) byte.read = event.self;
    return;
  }
  if (is_unordered(byte.read)) report_race(block, event, {byte.read, false, has_passed(event, byte.read)});
  byte.written = event.self | mark;
  byte.read = 0;
}

void races::poll(checked_block& block, const checked_access& event) {
  const region& memory = *event.memory;
  const shadow_word& word = memory.word_at(event.address);
  access written = word.written;
  if ((word.readers & in_parts) != 0) {
    const std::uintptr_t at = memory.offset_in_words(event.address);
    const shadow_byte& byte =
        at % 4 < 2 ? reinterpret_cast<const shadow_byte*>(&word)[at % 4] : memory.last_bytes[at / 4 * 2 + at % 4 - 2];
    written = byte.written & ~in_parts;
  }
  const bool is_stale = memory.of_block && time_of(written) < block.clocks.first();
  if (written == 0 || is_stale || !is_atomic_code(code_of(written)) || is_same_step(written, event.self) ||
      block.happens_before(memory, event.clock, written))
    return;
  reported_ = false;
  report_race(block, event, {written, true, false, true});
}

/// As words where they are accessed whole, else as bytes.
races::shadow_state races::access_words_and_bytes(checked_block& block, checked_access event) {
  const region& memory = *event.memory;
  std::uintptr_t at = memory.offset_in_words(event.address);
  const std::uintptr_t end = at + event.size;
  while (at < end) {
    shadow_word& word = memory.words[at / 4];
    if (at % 4 == 0 && end - at >= 4 && (word.readers & in_parts) == 0) {
      access_word(block, event, word);
      at += 4;
      continue;
    }
    shadow_byte* const first_bytes = reinterpret_cast<shadow_byte*>(&word);
    shadow_byte* const last_bytes = memory.last_bytes + at / 4 * 2;
    if ((word.readers & in_parts) == 0) split(block, memory, word, last_bytes);
    for (const std::uintptr_t word_end = std::min(at / 4 * 4 + 4, end); at < word_end; ++at) {
      access_byte(block, event, at % 4 < 2 ? first_bytes[at % 4] : last_bytes[at % 4 - 2]);
    }
  }
  return {event.holds_value, event.misses_variable};
}

/// The value that was read there has come to the running lane, which now overwrites it.
bool races::has_passed(checked_access event, access reader) const {
  return !is_atomic(event.kind) && !is_atomic_code(code_of(reader)) && is_same_block(reader, event.self) &&
         passed_.has_passed(thread_of(reader), thread_of(event.self), event.address, event.size);
}

void races::report_race(checked_block& block, checked_access event, earlier_access earlier) {
  if (!earlier.wrote) unwritten_reads::explain(block, event.address, event.size);
  if (std::exchange(reported_, true)) return;
  report found = report_of(WARPZ_DATA_RACE, event);
  if (event.kind == access_kind::read_and_write) {
    // Of the two it is the one that conflicts.
    if (!earlier.wrote) found.current.kind = access_kind::write;
    if (earlier.wrote && code_of(earlier.self) == code_of(event.self)) found.pattern = WARPZ_RACE_UPDATE;
  }
  // Of volatile accesses the source shows no atomic.
  if (earlier.is_polled) found.current.kind = access_kind::read;
  const bool was_atomic = is_atomic_code(code_of(earlier.self)) && !earlier.is_polled;
  found.earlier.self = earlier.self;
  if (earlier.wrote) {
    found.earlier.kind = was_atomic ? access_kind::atomic_write : access_kind::write;
  } else {
    found.earlier.kind = was_atomic ? access_kind::atomic_read : access_kind::read;
  }
  found.has_earlier = true;
  if (!is_same_block(earlier.self, event.self)) {
    found.relation = WARPZ_TWO_BLOCKS;
  } else {
    // Had they met since one of the accesses, it would be ordered before the other one.
    const sync_point &last = block.last_sync_point[thread_of(event.self)],
                     &others = block.last_sync_point[thread_of(earlier.self)];
    if (last.serial == others.serial) found.ordered_at = last.at;
    const bool one_warp = thread_of(earlier.self) / block.warp_size == thread_of(event.self) / block.warp_size;
    found.relation = one_warp ? WARPZ_ONE_WARP : WARPZ_ONE_BLOCK;
  }
  const bool may_be_harmless = event.kind == access_kind::write && found.earlier.kind == access_kind::write &&
                               event.size <= sizeof pending_.before;
  found.severity = may_be_harmless || earlier.was_passed || earlier.is_polled ? WARPZ_WARNING : WARPZ_ERROR;
  if (earlier.is_polled) found.pattern = WARPZ_RACE_VOLATILE_FLAG;
  if (earlier.was_passed) found.pattern = WARPZ_RACE_PASSED_READ;
  found.is_guess = earlier.was_passed && is_zero(event.address, event.size);
  const std::uint32_t record = publish(found, *block.current);
  if (record != no_record && !earlier.is_polled) watch(event, earlier, record);
  if (!may_be_harmless || record == no_record || pending_.exists) return;
  pending_.exists = true;
  pending_.record = record;
  pending_.address = event.address;
  pending_.size = event.size;
  std::memcpy(pending_.before, reinterpret_cast<const void*>(event.address), event.size);
}

/// Learns from what the lanes do next what the race is about.
void races::watch(const checked_access& event, const earlier_access& earlier, std::uint32_t record) {
  const bool was_atomic = is_atomic_code(code_of(earlier.self));
  if (event.kind == access_kind::read && earlier.wrote) {
    if (was_atomic) {
      patterns_.watch_read(thread_of(event.self), record, event.address, event.size);
    } else {
      patterns_.watch_update(thread_of(event.self), record, event.address, code_of(earlier.self));
    }
  } else if (is_atomic(event.kind) && writes(event.kind) && !earlier.wrote && !was_atomic &&
             is_same_block(earlier.self, event.self)) {
    patterns_.watch_read(thread_of(earlier.self), record, event.address, event.size);
  }
}

void races::compare_pending() {
  pending_.exists = false;
  if (std::memcmp(pending_.before, reinterpret_cast<const void*>(pending_.address), pending_.size) != 0) {
    raise_to_error(pending_.record);
  }
}

}  // namespace simt::check

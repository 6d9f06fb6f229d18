// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/races.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simt/check/reports.hpp"
#include "simt/check/unwritten_reads.hpp"
#include "simt/machine/trial.hpp"

namespace simt::check {
namespace {

unsigned highest(lane_mask lanes) { return 63 - static_cast<unsigned>(__builtin_clzll(lanes)); }

/// The access of one of the word's readers. An atomic has a place even if that is forgotten, as it shows that it is
/// one.
access_stamp read_by(const checked_block& block, const region& memory, const shadow_word& word, unsigned lane) {
  const code_id last = word.read_code(), own = word.read_code_of(lane, memory.tail_of(word));
  return {word.read_time(), word.reader_warp() * block.warp_size + lane, own == 0 && is_atomic_code(last) ? last : own};
}

/// From now on each byte of the word has a shadow of its own.
void split(const checked_block& block, region& memory, shadow_word& word) {
  // What the host has written of a word counts for all of it until the word is split.
  if (memory.of_page != nullptr && !memory.initialised && memory.host_written != nullptr) leave_trial();
  memory.has_splits = true;
  if (memory.per_block) word.forget_before(block.clocks.first());
  shadow_byte each{word.last_write(), {}};
  if (word.readers() != 0) each.read = read_by(block, memory, word, highest(word.readers()));
  word.split(each, memory.tail_of(word));
}

/// Whether these bytes, at most 8, are all zero, as the values of much unrelated memory are.
bool is_zero(std::uintptr_t address, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value == 0;
}

bool is_same_block(access_stamp a, access_stamp b) {
  return block_of_timestamp(a.time()) == block_of_timestamp(b.time());
}

/// Whether what two plain writes store is the same on any data.
bool write_the_same(access_stamp a, access_stamp b) {
  if (is_constant_code(a.code()) && is_constant_code(b.code())) return true;
  return a.code() == b.code() && is_block_constant_code(a.code()) && is_same_block(a, b);
}

}  // namespace

/// Keeps one of the readers as the other access, if there is room and nothing orders it before the running lane's read.
void races::keep_reader(const checked_block& block, const region& memory, const lane_clock& clock, shadow_word& word) {
  if (!has_room(block, memory, clock, word)) return;
  const access_stamp reader = read_by(block, memory, word, highest(word.readers()));
  if (!block.happens_before(memory, clock, reader)) word.set_other_read(reader);
}

/// A reader that conflicts with a write. Of several, one whose value was not forwarded, and whose place is known if
/// possible.
races::earlier_access races::conflicting_reader(const checked_block& block, checked_access event,
                                                const shadow_word& word) const {
  earlier_access found{};
  if (!readers_may_conflict(event, word)) return found;
  for (lane_mask rest = word.readers(); rest != 0; rest &= ~bit(highest(rest))) {
    const access_stamp reader = read_by(block, *event.memory, word, highest(rest));
    if (!conflicts(block, event, reader)) continue;
    const bool was_forwarded = has_forwarded(event, reader);
    const bool is_better = !was_forwarded || !found.self.exists() || found.was_forwarded;
    if (is_better) found = {reader, false, was_forwarded};
    if (!was_forwarded && reader.code() != 0) break;
  }
  return found;
}

/// The access to report, if a write of the running lane conflicts with any since the last write, or with the write
/// before an atomic.
races::earlier_access races::conflict_before_write(const checked_block& block, checked_access event,
                                                   const shadow_word& word) const {
  const earlier_access reader = conflicting_reader(block, event, word);
  earlier_access other = other_access(word);
  if (!conflicts(block, event, other.self)) return reader;
  other.was_forwarded = !other.wrote && has_forwarded(event, other.self);
  if (!reader.self.exists() || reader.was_forwarded) return other;
  if (other.was_forwarded) return reader;
  const bool is_later = other.self.time() == reader.self.time() && other.self.thread() > reader.self.thread();
  return reader.self.code() == 0 || is_later ? other : reader;
}

/// Others' atomics are no race with this atomic, but may be one with what came before it: with a plain write, unless
/// the whole block has met since; with an atomic, if what comes is plain; with a plain read of this lane. Keeps one
/// write, and that read unless the atomic is a compare-and-swap, which checks what was read.
void races::write_by_atomic(const checked_block& block, checked_access event, shadow_word& word) const {
  const access_stamp written = word.last_write(), other = word.other();
  const auto is_behind = [&](access_stamp earlier) {
    return block.happens_before(*event.memory, event.clock, earlier);
  };
  const bool is_plain = written.exists() && !is_atomic_code(written.code());
  const bool is_over = event.memory->per_block && written.time() < event.clock.joined.all_before;
  if (is_plain && !is_over) {
    word.set_other_write(written);
  } else if (is_plain) {
    if (word.other_is_write()) word.clear_other();
  } else if (!word.other_is_write() || (is_atomic_code(other.code()) && is_behind(other))) {
    const bool is_kept = written.exists() && !is_behind(written);
    is_kept ? word.set_other_write(written) : word.clear_other();
  }
  const std::uint32_t thread = event.self.thread();
  const bool has_read = !is_atomic_code(word.read_code()) && word.read_time() == event.self.time() &&
                        word.reader_warp() == thread / block.warp_size && !patterns_.is_compared();
  word.set_atomic_write(event.self, has_read ? bit(thread % block.warp_size) : 0);
}

void races::access_byte(checked_block& block, checked_access& event, shadow_byte& byte) {
  if (byte.write == access_stamp::no_variable()) {
    event.misses_variable = true;
    return;
  }
  if (conflicts(block, event, byte.write)) report_race(block, event, {byte.write, true});
  const bool is_stale = event.memory->per_block && byte.write.time() < block.clocks.first();
  event.holds_value |= byte.write.exists() && !is_stale;
  const bool has_conflict = conflicts(block, event, byte.read);
  if (!writes(event.kind)) {
    if (!has_conflict) byte.read = event.self;
    return;
  }
  if (has_conflict) report_race(block, event, {byte.read, false, has_forwarded(event, byte.read)});
  byte = {event.self, {}};
}

void races::poll(checked_block& block, const checked_access& event) {
  const access_stamp written = event.memory->last_write(event.address);
  if (!is_atomic_code(written.code()) || !is_unordered(block, event, written)) return;
  reported_ = false;
  report_race(block, event, {written, true, false, true});
}

/// In a trial, checks an access page by page. The event keeps the first of them.
bool races::access_pages(checked_block& block, checked_access& event) {
  event.holds_value = event.memory->initialised;
  checked_access part = event;
  for (const std::uintptr_t end = event.address + event.size; part.address < end; part.address += part.size) {
    part.memory = block.regions.find(part.address);
    part.size = std::min(end, (part.address / page_bytes + 1) * page_bytes) - part.address;
    part.memory->of_page->note(part.address, part.size, part.kind);
    event.holds_value = event.holds_value || part.memory->initialised;
    if (!part.memory->of_page->has_stamps) continue;
    const shadow_state state = access_words_and_bytes(block, part);
    event.holds_value = event.holds_value || state.holds_value;
    event.misses_variable = event.misses_variable || state.misses_variable;
  }
  return true;
}

/// In a trial, checks an access to shared memory that has tags.
bool races::access_tags(checked_block& block, checked_access& event) {
  bool is_clear = event.address % 4 == 0 && event.size % 4 == 0;
  for (std::size_t done = 0; is_clear && done < event.size; done += 4) {
    lane_tag& tag = event.memory->tag_at(event.address + done);
    event.holds_value = event.holds_value || tag.holds_value(block.intervals);
    is_clear = tag.note(block.intervals, event.self.thread(), event.kind);
  }
  if (!is_clear) block.ask_for_stamps();
  return true;
}

/// Checks an access word by word where words are accessed whole, and byte by byte elsewhere.
races::shadow_state races::access_words_and_bytes(checked_block& block, checked_access event) {
  region& memory = *event.memory;
  std::uintptr_t at = memory.offset_in_words(event.address);
  const std::uintptr_t end = at + event.size;
  while (at < end) {
    shadow_word& word = memory.words[at / 4];
    if (at % 4 == 0 && end - at >= 4 && !word.is_split()) {
      access_word(block, event, word);
      at += 4;
      continue;
    }
    if (!word.is_split()) split(block, memory, word);
    shadow_tail& tail = memory.tail_of(word);
    for (const std::uintptr_t word_end = std::min(at / 4 * 4 + 4, end); at < word_end; ++at) {
      shadow_byte byte = word.byte(at % 4, tail);
      access_byte(block, event, byte);
      word.set_byte(at % 4, byte, tail);
    }
  }
  return {event.holds_value, event.misses_variable};
}

/// Whether the reader has forwarded the value to the running lane, which now overwrites it.
bool races::has_forwarded(checked_access event, access_stamp reader) const {
  return tells_of_races_ && !is_atomic(event.kind) && !is_atomic_code(reader.code()) &&
         is_same_block(reader, event.self) &&
         forwarded_.has_forwarded(reader.thread(), event.self.thread(), event.address, event.size);
}

void races::report_race(checked_block& block, checked_access event, earlier_access earlier) {
  leave_trial();
  raced_.note_race(event, earlier.self, earlier.wrote);
  if (!earlier.wrote) unwritten_reads::explain(block, event.address, event.size);
  if (std::exchange(reported_, true)) return;
  access_finding found = finding_of(WARPZ_DATA_RACE, event);
  if (event.kind == access_kind::read_and_write) {
    // Only the read or only the write conflicts.
    if (!earlier.wrote) found.current.kind = access_kind::write;
    if (earlier.wrote && earlier.self.code() == event.self.code()) found.pattern = WARPZ_RACE_UPDATE;
  }
  // In the source, a volatile access is not an atomic.
  if (earlier.is_polled) found.current.kind = access_kind::read;
  const bool was_atomic = is_atomic_code(earlier.self.code()) && !earlier.is_polled;
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
    const sync_point &last = block.last_sync_point[event.self.thread()],
                     &others = block.last_sync_point[earlier.self.thread()];
    if (last.serial == others.serial) found.ordered_at = last.at;
    const bool one_warp = earlier.self.thread() / block.warp_size == event.self.thread() / block.warp_size;
    found.relation = one_warp ? WARPZ_ONE_WARP : WARPZ_ONE_BLOCK;
  }
  const bool has_barrier = block.happens_before(*event.memory, event.clock, earlier.self);
  const bool may_be_harmless = event.kind == access_kind::write && found.earlier.kind == access_kind::write;
  const bool is_behind_own = earlier.is_before_atomic && !is_atomic(event.kind);
  found.severity = may_be_harmless || earlier.was_forwarded || earlier.is_polled || has_barrier || is_behind_own
                       ? WARPZ_WARNING
                       : WARPZ_ERROR;
  if (may_be_harmless && !write_the_same(earlier.self, event.self)) found.pattern = WARPZ_RACE_EQUAL_DATA;
  if (is_behind_own) found.pattern = WARPZ_RACE_BEHIND_ATOMIC;
  if (has_barrier) found.pattern = WARPZ_RACE_NO_FENCE;
  if (earlier.is_polled) found.pattern = WARPZ_RACE_VOLATILE_FLAG;
  if (earlier.was_forwarded) found.pattern = WARPZ_RACE_FORWARDED_READ;
  found.is_guess = earlier.was_forwarded && is_zero(event.address, event.size);
  const std::uint32_t record = publish(found, *block.current);
  if (record != no_record && !earlier.is_polled) watch(event, earlier, record);
  if (!may_be_harmless || has_barrier || record == no_record || pending_.exists) return;
  pending_.exists = true;
  pending_.record = record;
  pending_.address = event.address;
  pending_.before.assign(reinterpret_cast<const char*>(event.address), event.size);
}

/// Watches what the lanes do next, which shows what the race is about.
void races::watch(const checked_access& event, const earlier_access& earlier, std::uint32_t record) {
  const bool was_atomic = is_atomic_code(earlier.self.code());
  if (event.kind == access_kind::read && earlier.wrote) {
    if (was_atomic) {
      patterns_.watch_read(event.self.thread(), record, event.address, event.size);
    } else {
      patterns_.watch_update(event.self.thread(), record, event.address, earlier.self.code());
    }
  } else if (is_atomic(event.kind) && writes(event.kind) && !earlier.wrote && !was_atomic &&
             is_same_block(earlier.self, event.self)) {
    patterns_.watch_read(earlier.self.thread(), record, event.address, event.size);
  }
}

void races::compare_pending() {
  pending_.exists = false;
  const std::string& before = pending_.before;
  if (std::memcmp(before.data(), reinterpret_cast<const void*>(pending_.address), before.size()) != 0)
    raise_to_error(pending_.record);
}

}  // namespace simt::check

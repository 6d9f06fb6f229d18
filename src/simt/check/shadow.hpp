// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of checked memory: which regions there are, and for each word who accessed it last.
//
// A word of four bytes has a shadow of 32 bytes. A word that was accessed in parts has a second one, so that each byte
// has 16: at most 16 bytes for each byte touched, and none for what is not touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "abi/finding.h"
#include "simt/check/code_ids.hpp"
#include "simt/check/vector_clock.hpp"

namespace simt::check {

/// One access: when, by which thread of the block, from which place in the code.
///
///     bit   63 … 32     31 … 22   21          20 … 0
///           timestamp   thread    in parts    code
using access = std::uint64_t;

inline constexpr access in_parts = access{1} << code_id_bits;
inline constexpr unsigned thread_shift = code_id_bits + 1;

constexpr access make_access(timestamp time, std::uint32_t thread, code_id code) {
  return access{time} << 32 | access{thread} << thread_shift | code;
}
constexpr timestamp time_of(access packed) { return static_cast<timestamp>(packed >> 32); }
constexpr std::uint32_t thread_of(access packed) { return static_cast<std::uint32_t>(packed >> thread_shift) & 1023; }
constexpr code_id code_of(access packed) { return static_cast<std::uint32_t>(packed) & code_id_mask; }

/// The last write and the reads since. Readers are the lanes of one warp that read at one time; if the last write is an
/// atomic, also the lane of that warp that has read before it. The other access is one more reader, or a write that an
/// atomic has followed: the last plain one, or else another lane's.
///
///     readers, bit   63 … 32     31          30 … 27    26 … 22   21          20 … 0
///                    timestamp   in places   written    warp      in parts    code
///
/// In places: the readers have read at several places in the code, of which this is the last. Which of them have read
/// there is in the shadow of the word's last bytes, which a word that is not accessed in parts does not need.
struct shadow_word {
  access written;
  lane_mask lanes;
  std::uint64_t readers;
  access other;
};

/// Marks that the other access of a word that is not accessed in parts is a write.
inline constexpr access is_write = in_parts;

inline constexpr unsigned warp_shift = thread_shift;
inline constexpr unsigned initialised_shift = warp_shift + 5;
inline constexpr std::uint64_t initialised_bits = std::uint64_t{15} << initialised_shift;

inline constexpr std::uint64_t readers_in_places = std::uint64_t{1} << 31;

constexpr std::uint32_t warp_of(std::uint64_t readers) {
  return static_cast<std::uint32_t>(readers >> warp_shift) & 31;
}

/// A byte of a word that is accessed in parts: the first two bytes use the memory of the word's shadow.
struct shadow_byte {
  access written;
  access read;
};

/// Innermost frame first.
struct call_stack {
  unsigned count = 0;
  std::uint64_t frames[WARPZ_HISTORY_FRAMES] = {};
};

/// Where a user program has allocated and freed memory.
struct allocation_history {
  call_stack allocated;
  call_stack freed;
};

/// Bytes of a region, counted from its beginning, that belong to no variable.
struct gap {
  std::size_t begin;
  std::size_t end;
};

/// Marks such a byte, as its last write: no access has the timestamp 0.
inline constexpr access no_variable = make_access(0, 1023, code_id_mask);

/// Memory whose accesses are checked.
struct region {
  std::uintptr_t begin;
  std::size_t bytes;
  std::uintptr_t span_begin;  ///< an access within the span, but not within the region, has missed the region
  std::uintptr_t span_end;
  warpz_memory kind;
  std::uint32_t argument;  ///< the number of a kernel argument
  bool initialised;        ///< before the launch
  bool writable;
  bool of_block;  ///< shared memory, which begins anew with each block
  bool of_host;   ///< the host may read and write it as well
  shadow_word* words;
  shadow_byte* last_bytes;      ///< two for each word: its last two bytes
  unsigned char* host_written;  ///< a bit for each byte that the host has written; null: none
  allocation_history* history;  ///< of what a user program has allocated; else null
  bool is_freed;
  const std::vector<gap>* gaps;  ///< of a module's variables; null: none

  bool holds(std::uintptr_t address, std::size_t size) const {
    return address - begin < bytes && size <= bytes - (address - begin);
  }

  /// The words are aligned; the region need not be.
  std::uintptr_t offset_in_words(std::uintptr_t address) const { return address - (begin & ~std::uintptr_t{3}); }
  shadow_word& word_at(std::uintptr_t address) const { return words[offset_in_words(address) / 4]; }
  lane_mask& readers_there(const shadow_word& word) const { return last_bytes[(&word - words) * 2].written; }
};

/// To be called before a shadow word is read: for a page that is read first the system provides a page of zeros, and
/// another one when it is written, which takes longer than all the rest of a check.
inline void claim(shadow_word& word) {
#ifdef __x86_64__
  asm("orq $0, %0" : "+m"(word.other));
#else
  static_cast<void>(word);
#endif
}

/// Reserves the shadow and marks the bytes that belong to no variable. False where there is no address space.
bool make_shadow(region& memory);
void drop_shadow(region& memory);
/// Forgets all accesses; the marks stay.
void clear_shadow(region& memory);
/// The host has written these bytes.
void mark_host_write(region& memory, std::size_t offset, std::size_t bytes);
/// Bytes that neither a lane nor the host has written.
struct unwritten_bytes {
  std::size_t count;
  std::size_t longest;  ///< of them in a row
};
unwritten_bytes find_unwritten(const region& memory, std::size_t offset, std::size_t bytes);
/// Whether the host has written any of these bytes.
bool has_host_write(const region& memory, std::size_t offset, std::size_t bytes);

inline constexpr unsigned page_bits = 12;

/// The regions that all blocks share, and those of one worker's block. Finds a region by an address, fast near the last
/// addresses.
class region_table {
 public:
  /// The region that the address lies in or has missed; null: none.
  [[gnu::always_inline]] region* find(std::uintptr_t address) {
    entry& known = entry_of(address);
    if (!is_current(known, address)) look_up(known, address);
    region* const found = known.found;
    if (found == nullptr || address - found->begin < found->bytes) return found;
    return search(address);
  }

  /// The region that these bytes lie in. Null: in none, or it takes a search.
  [[gnu::always_inline]] region* holder(std::uintptr_t address, std::size_t size) {
    const entry& known = entry_of(address);
    const bool is_known = is_current(known, address) && known.found != nullptr;
    return is_known && known.found->holds(address, size) ? known.found : nullptr;
  }

  /// Of an address for which find() has just given null: if no region shares its page, accesses there need no check.
  void mark_unchecked(std::uintptr_t address) {
    entry& known = entry_of(address);
    known.is_unchecked = known.found == nullptr;
  }

  /// Whether the page is known to need no check.
  [[gnu::always_inline]] bool is_unchecked(std::uintptr_t address) {
    const entry& known = entry_of(address);
    return is_current(known, address) && known.is_unchecked;
  }

  /// Sets a region of the block.
  void set_own(unsigned number, const region& memory);
  region* own(unsigned number) { return own_[number].get(); }

  static region* add_common(const region& memory);
  static void remove_common(const region* memory);
  static region* common_at(std::uintptr_t begin);
  /// All common memory counts as written from now on.
  static void forget_accesses();

 private:
  static constexpr unsigned entry_count = 1024;

  struct entry {
    std::uintptr_t page = 0;
    region* found = nullptr;
    std::uint32_t version = 0;
    bool is_unchecked = false;
  };

  entry& entry_of(std::uintptr_t address) { return entries_[(address >> page_bits) % entry_count]; }
  static bool is_current(const entry& known, std::uintptr_t address) {
    return known.page == address >> page_bits && known.version == version_;
  }
  void look_up(entry& target, std::uintptr_t address);
  region* search(std::uintptr_t address) const;

  static std::uint32_t version_;
  entry entries_[entry_count];
  std::unique_ptr<region> own_[2];
};

}  // namespace simt::check

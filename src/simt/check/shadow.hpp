// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is remembered of memory: which regions there are, and of each word who accessed it last.
//
// A word of four bytes has a cell of 32 bytes. A word that was accessed in parts has a second one, so that each byte
// has 16: at most 16 bytes for each byte touched, and none for what is not touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "abi/finding.h"
#include "simt/check/clocks.hpp"

namespace simt::check {

/// One access: when, by which thread of the block, from which place in the code.
///
///     bit   63 … 32   31 … 22   21          20 … 0
///           instant   thread    in parts    place
using access = std::uint64_t;

inline constexpr unsigned place_bits = 21;
inline constexpr std::uint32_t place_mask = (1U << place_bits) - 1;
inline constexpr access in_parts = access{1} << place_bits;
inline constexpr unsigned thread_shift = place_bits + 1;

constexpr access access_of(instant when, std::uint32_t thread, std::uint32_t place) {
  return access{when} << 32 | access{thread} << thread_shift | place;
}
constexpr instant instant_of(access of) { return static_cast<instant>(of >> 32); }
constexpr std::uint32_t thread_of(access of) { return static_cast<std::uint32_t>(of >> thread_shift) & 1023; }
constexpr std::uint32_t place_of(access of) { return static_cast<std::uint32_t>(of) & place_mask; }

/// The last write and the reads since. Readers are the lanes of one warp that read at one instant, and one other.
///
///     readers, bit   63 … 32   31      30 … 27    26 … 22   21          20 … 0
///                    instant   free    written    warp      in parts    place
struct word_cell {
  access written;
  lane_mask lanes;
  std::uint64_t readers;
  access other_reader;
};

inline constexpr unsigned warp_shift = thread_shift;
inline constexpr unsigned initialised_shift = warp_shift + 5;
inline constexpr std::uint64_t initialised_bits = std::uint64_t{15} << initialised_shift;

/// A byte of a word that is accessed in parts: the first two bytes lie where the word's cell is.
struct byte_cell {
  access written;
  access read;
};

/// A call stack, innermost first.
struct call_place {
  unsigned count = 0;
  std::uint64_t frames[WARPZ_HISTORY_FRAMES] = {};
};

/// Of memory that a program has allocated.
struct history {
  call_place made;
  call_place released;
};

/// Bytes of a region, counted from its beginning, that belong to none of the variables in it.
struct gap {
  std::size_t begin;
  std::size_t end;
};

/// As the last write of such a byte: nothing happens at instant 0.
inline constexpr access nobodys = access_of(0, 1023, place_mask);

/// Memory whose accesses are watched.
struct region {
  std::uintptr_t begin;
  std::size_t bytes;
  std::uintptr_t span_begin;  ///< whoever comes here without being within has missed it
  std::uintptr_t span_end;
  warpz_memory kind;
  std::uint32_t argument;  ///< of an argument's: its number
  bool initialised;        ///< holds something when a launch begins
  bool writable;
  bool of_block;  ///< shared memory: what earlier blocks did with it is of no interest
  word_cell* words;
  byte_cell* bytes_beyond;       ///< two for each word: its last two bytes
  unsigned char* host_written;   ///< a bit for each byte that the host has written; null: none
  history* past;                 ///< of what the program has allocated
  bool is_released;              ///< nobody's any more
  const std::vector<gap>* gaps;  ///< of a module's variables; null: none

  bool holds(std::uintptr_t address, std::size_t size) const {
    return address - begin < bytes && size <= bytes - (address - begin);
  }
};

/// To be called before anybody looks at a cell: of a page that is read first the system gives out one of zeros, and
/// another one when it is written, which takes longer than all else that is done with its cells.
inline void claim(word_cell& cell) {
#ifdef __x86_64__
  asm("orq $0, %0" : "+m"(cell.other_reader));
#else
  static_cast<void>(cell);
#endif
}

/// Reserves the cells, in which bytes that belong to no variable are marked. False where there is no address space.
bool make_cells(region& of);
void drop_cells(region& of);
/// The host has written these bytes of it.
void mark_host_write(region& of, std::size_t offset, std::size_t bytes);
/// Whether the host has written any of these.
bool has_host_write(const region& of, std::size_t offset, std::size_t bytes);
/// Forgets all accesses; the marks stay.
void clear_cells(region& of);

inline constexpr unsigned page_bits = 12;

/// The regions that all blocks see, and for one worker those of its block: found by an address, fast for an address
/// near the last ones.
class region_table {
 public:
  /// The one that the address lies in or belongs to; null: it is nobody's.
  region* find(std::uintptr_t address) {
    const std::uintptr_t page = address >> page_bits;
    entry& known = entries_[page % entry_count];
    if (known.page != page || known.version != version_) look_up(known, address);
    region* const found = known.found;
    if (found == nullptr || address - found->begin < found->bytes) return found;
    return search(address);
  }

  /// Whether it is known that find gives null.
  bool is_nobodys(std::uintptr_t address) const {
    const std::uintptr_t page = address >> page_bits;
    const entry& known = entries_[page % entry_count];
    return known.page == page && known.version == version_ && known.found == nullptr;
  }

  /// A worker's own; replaces the one of this number.
  void set_own(unsigned number, const region& made);
  region* own(unsigned number) { return own_[number].get(); }

  static region* add_common(const region& made);
  static void remove_common(const region* which);
  static region* common_at(std::uintptr_t begin);
  static void forget_accesses();

 private:
  static constexpr unsigned entry_count = 256;

  struct entry {
    std::uintptr_t page = 0;
    region* found = nullptr;
    std::uint32_t version = 0;
  };

  void look_up(entry& into, std::uintptr_t address);
  region* search(std::uintptr_t address) const;

  static std::uint32_t version_;
  entry entries_[entry_count];
  std::unique_ptr<region> own_[2];
};

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that is checked: its regions, each with the shadow of its words. What is not touched takes no memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "abi/finding.h"
#include "simt/check/lane_tag.hpp"
#include "simt/check/page_accesses.hpp"
#include "simt/check/shadow_word.hpp"
#include "simt/machine/work_order.hpp"

namespace simt::check {

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

struct page_view;
class trial_pages;

/// Memory whose accesses are checked.
struct region {
  std::uintptr_t begin;
  std::size_t bytes;
  std::uintptr_t span_begin;  ///< an access within the span, but not within the region, has missed the region
  std::uintptr_t span_end;
  warpz_memory kind;
  std::uint32_t argument;       ///< the number of a kernel argument
  std::uint32_t element_bytes;  ///< of what the arguments of launches point to that lead there; 0: unknown
  bool initialised;             ///< before the launch
  bool writable;
  bool of_block;   ///< shared memory, which begins anew with each block
  bool per_block;  ///< its shadow begins anew with each block
  bool of_host;    ///< the host may read and write it as well
  shadow_word* words;
  shadow_tail* tails;            ///< one for each word
  unsigned char* host_written;   ///< a bit for each byte that the host has written; null: none
  unsigned char* trial_written;  ///< a bit for each byte that lanes have written in trials; null: none
  allocation_history* history;   ///< null: it was not allocated by a user program
  bool is_freed;
  const char* absence;           ///< why lanes cannot access it, as a sentence; null: they can, or it was freed
  bool is_mapped;                ///< at reserved addresses: an array may go on behind its end
  std::uint32_t looked_at_by;    ///< the launch that has to watch none of its accesses here (async_races.hpp)
  std::uint32_t watched_by;      ///< the launch that has to
  std::vector<work_id> users;    ///< launches that have accessed it: of each timeline the last one
  const std::vector<gap>* gaps;  ///< between a module's variables; null: none
  std::vector<bool> has_begun;   ///< of each page: see begin_page(); empty: of none
  std::vector<bool> has_memory;  ///< of each page: there is memory for its shadow; empty: of none

  lane_tag* tags;  ///< of the words of shared memory, one for each; null: it has none

  std::uint32_t fill;      ///< what pages of shared memory get when they begin; 0: they stay as they are
  std::size_t fill_begin;  ///< the first byte that gets it

  // For trials (trial_pages.hpp).
  bool has_splits;            ///< words of a page_view have been split
  bool has_stamps;            ///< in trials shadow memory keeps the stamps of its accesses
  page_view* of_page;         ///< this is the view of one page; null: the region itself
  shared_page* shared_pages;  ///< what blocks have accessed, page by page; null: no trial has begun
  std::byte* kept;            ///< what the region held before blocks have written to it

  /// Whether begin_page() has something to do.
  bool begins_by_page() const { return gaps != nullptr || of_block; }

  bool holds(std::uintptr_t address, std::size_t size) const {
    return address - begin < bytes && size <= bytes - (address - begin);
  }

  /// The words are aligned; the region need not be.
  std::uintptr_t offset_in_words(std::uintptr_t address) const { return address - (begin & ~std::uintptr_t{3}); }
  shadow_word& word_at(std::uintptr_t address) const { return words[offset_in_words(address) / 4]; }
  shadow_tail& tail_of(const shadow_word& word) const { return tails[&word - words]; }

  lane_tag& tag_at(std::uintptr_t address) const { return tags[offset_in_words(address) / 4]; }

  access_stamp last_write(std::uintptr_t address) const {
    const shadow_word& word = word_at(address);
    return word.is_split() ? word.byte(address % 4, tail_of(word)).write : word.last_write();
  }
};

/// Reserves the shadow. False where there is no address space.
bool make_shadow(region& memory);
/// Reserves tags. Where there is no address space there are none.
void make_tags(region& memory);
/// Fills the page of shared memory, and marks its bytes that belong to no variable. To be called before accesses to the
/// page are checked: most kernels touch few of a module's pages, and each mark takes memory.
void begin_page(region& memory, std::uintptr_t page);
/// Gives the bytes from this one on what they hold before lanes write to them, as fill_unwritten() has it: at once on
/// pages that have begun, on others when they begin.
void fill_pages(region& memory, std::size_t begin, std::uint32_t fill);
/// Finds memory for the shadow of the page's words at once, where pages beside it are accessed as well. To be called
/// before accesses to the page are checked.
void find_memory(region& memory, std::uintptr_t page);
void drop_shadow(region& memory);
/// Forgets all accesses; the marks stay.
void clear_shadow(region& memory);
/// The host has written these bytes.
void mark_host_write(region& memory, std::size_t offset, std::size_t bytes);
/// Lanes have written these bytes in a trial.
void mark_trial_write(region& memory, std::uintptr_t address, std::size_t bytes);
/// Bytes that neither a lane nor the host has written.
struct unwritten_bytes {
  std::size_t count;
  std::size_t longest;  ///< the longest row of them
};
unwritten_bytes find_unwritten(const region& memory, std::size_t offset, std::size_t bytes);
/// Whether the host, or a lane in a trial, has written any of these bytes.
bool has_noted_write(const region& memory, std::size_t offset, std::size_t bytes);
/// Whether they have written all of these bytes.
bool is_noted_as_written(const region& memory, std::size_t offset, std::size_t bytes);
/// Whether any of these bytes was written by a launch before this one.
bool has_earlier_write(const region& memory, std::uintptr_t address, std::size_t bytes);

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

  /// The same for an access of more than a few bytes: it may touch pages that were not looked up before.
  region* find(std::uintptr_t address, std::size_t size) {
    region* const found = find(address);
    if (found == nullptr || !found->begins_by_page() || !found->holds(address, size)) return found;
    for (std::uintptr_t at = (address / page_bytes + 1) * page_bytes; at < address + size; at += page_bytes) find(at);
    return found;
  }

  /// The region that these bytes lie in. Null: in none, or only a search can tell.
  [[gnu::always_inline]] region* holder(std::uintptr_t address, std::size_t size) {
    const entry& known = entry_of(address);
    const bool is_known = is_current(known, address) && known.found != nullptr;
    return is_known && known.found->holds(address, size) ? known.found : nullptr;
  }

  /// What is known of the memory at an address.
  struct known_page {
    region* found = nullptr;              ///< null: no region, or only a search can tell
    page_view* without_stamps = nullptr;  ///< in a trial, if all that is noted of the page's accesses are their bytes
  };
  [[gnu::always_inline]] known_page known_at(std::uintptr_t address) {
    const entry& known = entry_of(address);
    return is_current(known, address) ? known_page{known.found, known.without_stamps} : known_page{};
  }

  /// To be called when find() has just given null for the address: if no region shares its page, accesses to the page
  /// need no check from now on.
  void mark_unchecked(std::uintptr_t address) {
    entry& known = entry_of(address);
    known.is_unchecked = known.found == nullptr;
  }

  /// Whether the page is known to need no check.
  [[gnu::always_inline]] bool is_unchecked(std::uintptr_t address) {
    const entry& known = entry_of(address);
    return is_current(known, address) && known.is_unchecked;
  }

  /// From now on shared memory is seen page by page, as in a trial.
  void see(trial_pages& pages) { trial_ = &pages; }
  /// Nothing is known of this page any more.
  void forget_page(std::uintptr_t page) {
    entry& known = entry_of(page);
    if (known.page == page >> page_bits) known.version = 0;
  }

  /// Forgets all accesses to the regions of the block.
  void forget_block_accesses();
  void forget_tags();

  /// Sets a region of the block.
  void set_block_region(unsigned number, const region& memory);
  region* block_region(unsigned number) { return block_regions_[number].get(); }

  static region* add_common(const region& memory);
  static void remove_common(const region* memory);
  static region* common_at(std::uintptr_t begin);
  /// The common region that holds the byte; null: none.
  static region* common_around(std::uintptr_t address);
  /// All common memory counts as written from now on.
  static void forget_accesses();
  /// Before a trial: room for what it needs of each common region. False where there is no address space.
  static bool share_pages();
  static void for_each_common(const std::function<void(const region&)>& use);

 private:
  static constexpr unsigned entry_bits = 10;

  struct entry {
    std::uintptr_t page = 0;
    region* found = nullptr;
    page_view* without_stamps = nullptr;
    std::uint32_t version = 0;
    bool is_unchecked = false;
  };

  entry& entry_of(std::uintptr_t address) {
    // A hash, as lanes often access pages that are a power of two apart.
    constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
    return entries_[(address >> page_bits) * golden_ratio >> (64 - entry_bits)];
  }
  static bool is_current(const entry& known, std::uintptr_t address) {
    return known.page == address >> page_bits && known.version == version_;
  }
  void look_up(entry& target, std::uintptr_t address);
  region* search(std::uintptr_t address) const;
  region* search_all(std::uintptr_t address) const;

  static std::uint32_t version_;
  trial_pages* trial_ = nullptr;
  entry entries_[1 << entry_bits];
  std::unique_ptr<region> block_regions_[2];
};

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that all blocks share, as the blocks of a trial (simt/machine/trial.hpp) see it.
//
// Each worker has shadow memory of its own for the pages that its block touches, used again by its next block. So no
// worker sees another one's accesses. What blocks have accessed is compared when they end (page_accesses.hpp).
//
// At first that is all that is noted of a page: which bytes the block has read, and which it has written. Only where a
// block accesses a byte twice, and writes it, does the order of the two matter. Then the trial is repeated, and from
// then on shadow memory keeps the stamps of all accesses to that region.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "simt/check/page_accesses.hpp"
#include "simt/check/shadow.hpp"
#include "simt/machine/trial.hpp"

namespace simt::check {

/// A page of a region while a block of a trial uses it.
struct page_view {
  region view;     ///< the region, with the shadow of this page alone
  region* memory;  ///< the region itself
  std::uintptr_t page;
  shared_page* shared;
  bool may_write;     ///< what the page held before is kept
  bool has_stamps;    ///< shadow memory keeps the stamps of its accesses
  bool needs_stamps;  ///< it has none, but the order of its accesses matters
  bool has_met;       ///< another block has accessed what this one has changed
  page_bytes_set read;
  page_bytes_set written;
  page_bytes_set changed;  ///< of these, by atomics

  /// Notes an access to bytes of this page, before it happens.
  [[gnu::always_inline]] void note(std::uintptr_t address, std::size_t size, access_kind kind) {
    if (trial_has_failed.load(std::memory_order_relaxed)) leave_trial();
    const std::size_t offset = address - page;
    const bool needs_more = !has_stamps && needs_order(offset, size, kind);
    if (reads(kind) || is_atomic(kind)) read.add(offset, size);
    if (writes(kind)) {
      if (!may_write) allow_write();
      written.add(offset, size);
    }
    if (is_atomic(kind) && writes(kind)) note_change(offset, size);
    // What has been written has to be known by now: of a compare-and-swap it may be in memory already.
    if (needs_more) ask_for_stamps();
  }
  /// Notes a write by an atomic. Where blocks meet, the trial ends.
  void note_change(std::size_t offset, std::size_t size);
  /// Whether the block has accessed any of these bytes before, and one of the two accesses writes them.
  [[gnu::always_inline]] bool needs_order(std::size_t offset, std::size_t size, access_kind kind) const {
    return written.has_any(offset, size) || (writes(kind) && read.has_any(offset, size));
  }
  /// Ends the trial, which is to be repeated with stamps for this page.
  void ask_for_stamps();
  /// True: it has noted an access, aligned to its size of at most 64, of which nothing else is to be checked.
  [[gnu::always_inline]] bool note_fast(std::uintptr_t address, std::size_t size, access_kind kind) {
    const std::size_t offset = address - page, word = offset / 64;
    const std::uint64_t bytes = ~std::uint64_t{0} >> (64 - size) << offset % 64;
    const bool is_odd = address % size != 0 || !view.holds(address, size) || (reads(kind) && !view.initialised);
    if (is_odd || trial_has_failed.load(std::memory_order_relaxed) || (written[word] & bytes) != 0) return false;
    const bool is_read_before = (read[word] & bytes) == bytes;
    if (writes(kind) && (!may_write || (read[word] & bytes) != 0)) return false;
    if (reads(kind) && !is_read_before) read.add_to(word, bytes);
    if (writes(kind)) written.add_to(word, bytes);
    return true;
  }
  /// To be called before the page is written.
  void allow_write();
};

/// The pages of one worker's block.
class trial_pages {
 public:
  trial_pages() = default;
  ~trial_pages();
  trial_pages(const trial_pages&) = delete;
  trial_pages& operator=(const trial_pages&) = delete;

  /// The page at this address, as the running block's lanes see it. Where there is no room for more pages the trial
  /// ends.
  region& view_of(region& memory, std::uintptr_t page);

  std::vector<page_view*>& used() { return used_; }

  /// The block has ended, or the launch: adds to what all blocks have accessed. False: it has met another one.
  bool add_accesses();

  /// The launch has ended: from now on there are stamps where a block of this worker has asked for them. False: none
  /// has.
  bool provide_stamps();

  /// Forgets what shadow memory holds of earlier blocks.
  void forget();

  /// A launch begins that has so many workers. `is_host_apart`: the host does not wait for its end. `has_stamps`: each
  /// page has.
  void begin_launch(std::size_t workers, bool is_host_apart, bool has_stamps) {
    workers_ = workers;
    is_host_apart_ = is_host_apart;
    has_stamps_ = has_stamps;
  }
  /// Threads that have worked on it may have been stopped for good.
  void unlock() const;
  // When it has ended, of the pages that blocks of this worker were the first to touch: notes what was written as
  // written, or restores it. Then all is as before the launch.
  void accept() const;
  void undo() const;
  void end_launch();

 private:
  struct slot {
    shadow_word words[page_bytes / 4];
    shadow_tail tails[page_bytes / 4];
    // At a distance of a power of two, the same words of all pages would compete for one set of each cache.
    unsigned char unused[4096 + 9 * 64];
  };

  struct touched {
    region* memory;
    std::uintptr_t page;

    shared_page& shared() const { return memory->shared_pages[(page >> page_bits) - (memory->begin >> page_bits)]; }
  };

  struct place {
    std::uint64_t block = 0;  ///< it is empty unless this is the running one
    page_view* view = nullptr;
  };

  place& place_of(std::uintptr_t page);
  void enlarge();
  bool claim(region& memory, page_view& view);

  slot* slots_ = nullptr;
  std::size_t slot_count_ = 0;
  std::deque<page_view> views_;  ///< one for each slot that was used
  std::vector<page_view*> used_;
  std::vector<touched> touched_;
  std::vector<region*> without_stamps_;  ///< and a block has asked for them
  std::vector<place> places_;            ///< a hash table
  std::uint64_t block_ = 1;
  std::size_t workers_ = 1;
  bool is_host_apart_ = false;
  bool has_stamps_ = false;
};

}  // namespace simt::check

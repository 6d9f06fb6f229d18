// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that all blocks share, as the blocks of a trial (simt/machine/trial.hpp) see it.
//
// Each worker has shadow memory of its own for the pages that its block touches, used again by its next block. So no
// worker sees another one's accesses. What blocks have accessed is compared when they end (page_accesses.hpp).
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
  bool may_write;  ///< what the page held before is kept
  page_bytes_set read;
  page_bytes_set written;

  /// Notes an access to bytes of this page, before it happens.
  [[gnu::always_inline]] void note(std::uintptr_t address, std::size_t size, access_kind kind) {
    if (trial_has_failed.load(std::memory_order_relaxed)) leave_trial();
    const std::size_t offset = address - page;
    if (reads(kind) || is_atomic(kind)) read.add(offset, size);
    if (!writes(kind)) return;
    if (!may_write) allow_write();
    written.add(offset, size);
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

  /// Forgets what shadow memory holds of earlier blocks.
  void forget();

  /// A launch begins that has so many workers.
  void begin_launch(std::size_t workers) { workers_ = workers; }
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
  std::vector<place> places_;  ///< a hash table
  std::uint64_t block_ = 1;
  std::size_t workers_ = 1;
};

}  // namespace simt::check

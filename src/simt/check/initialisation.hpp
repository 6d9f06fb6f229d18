// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of memory that was never written.
//
// A lane may move such a value within shared memory, or compute with it and put the result there. The place that it is
// put to then counts as never written, too, and whoever uses what is there uses the first place's value.
#pragma once

#include <unordered_map>
#include <vector>

#include "simt/check/trial_pages.hpp"
#include "simt/check/unwritten_reads.hpp"

namespace simt::check {

class initialisation : public access_check {
 public:
  void begin_block(checked_block&, std::uint64_t /*number*/) {
    reads_.clear();
    moved_to_.clear();
  }
  void end_block() { unwritten_reads::end_block(); }

  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (!moved_to_.empty() && event.memory->of_block) {
      access_moved(block, event);
    } else if (reads(event.kind) && !event.holds_value &&
               !has_noted_write(*event.memory, event.address - event.memory->begin, event.size)) {
      read_unwritten(block, event);
    }
    return true;
  }

  /// The running lane uses a value with this token.
  void use(const checked_block& block, std::uint64_t token) {
    if (token != 0) unwritten_reads::add(*block.current, reads_[token - 1]);
  }

  /// The running lane has put a value with this token there.
  void put(std::uintptr_t address, std::size_t size, std::uint64_t token);

  /// Makes these words count as written when the block began.
  static void allow_unwritten(checked_block& block, std::uintptr_t address, std::size_t size) {
    region* const memory = block.regions.find(address);
    if (memory == nullptr || !memory->holds(address, size)) return;
    if (memory->of_page != nullptr && (address ^ (address + size - 1)) >> page_bits != 0) leave_trial();
    if (memory->of_page != nullptr) {
      memory->of_page->note(address, size, access_kind::write);
      if (!memory->of_page->has_stamps) return;
    }
    if (block.intervals.now != 0 && memory->tags != nullptr) {
      for (; size >= 4; address += 4, size -= 4) memory->tag_at(address).allow_unwritten(block.intervals);
      return;
    }
    const timestamp first = block.clocks.first();
    shadow_word* word = &memory->word_at(address);
    for (; size >= 4; ++word, size -= 4) {
      if (!word->is_split() && word->last_write().time() < first) word->set_write({first, block.clock().thread, 0});
    }
  }

 private:
  void access_moved(checked_block& block, checked_access event);
  void read_unwritten(checked_block& block, checked_access event);

  std::vector<access_finding> reads_;                           ///< whose values were moved; a token counts them from 1
  std::unordered_map<std::uintptr_t, std::uint64_t> moved_to_;  ///< the tokens of words that they were moved to
};

}  // namespace simt::check

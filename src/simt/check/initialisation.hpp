// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of memory that was never written.
#pragma once

#include "simt/check/unwritten_reads.hpp"

namespace simt::check {

struct initialisation : access_check {
  void end_block() { unwritten_reads::end_block(); }

  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (reads(event.kind) && !event.holds_value &&
        !has_host_write(*event.memory, event.address - event.memory->begin, event.size)) {
      unwritten_reads::add(block, event);
    }
    return true;
  }

  /// Makes these words count as written when the block began.
  static void allow_unwritten(checked_block& block, std::uintptr_t address, std::size_t size) {
    region* const memory = block.regions.find(address);
    if (memory == nullptr || !memory->holds(address, size)) return;
    const timestamp first = block.clocks.first();
    shadow_word* word = &memory->word_at(address);
    for (; size >= 4; ++word, size -= 4) {
      if (!word->is_split() && word->last_write().time() < first) word->set_write({first, block.clock().thread, 0});
    }
  }
};

}  // namespace simt::check

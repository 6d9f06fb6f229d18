// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to memory that was freed. Double frees and leaks, which are the host's, are in heap.hpp.
#pragma once

#include "simt/check/reports.hpp"

namespace simt::check {

struct lifetime : access_check {
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (!event.memory->is_freed) return true;
    access_finding found = finding_of(WARPZ_USE_AFTER_FREE, event);
    if (event.memory->history->freed.count == 0)
      found.rule = "a lane accesses memory of a graph that has not allocated it yet";
    publish(found, *block.current);
    return false;
  }
};

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to memory that was freed, or is not there yet. Double frees and leaks, which are the host's, are in
// heap.hpp.
#pragma once

#include "simt/check/reports.hpp"

namespace simt::check {

struct lifetime : access_check {
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (!event.memory->is_freed) return true;
    const bool was_there = event.memory->absence == nullptr || !event.memory->is_mapped;
    access_finding found = finding_of(was_there ? WARPZ_USE_AFTER_FREE : WARPZ_OUT_OF_BOUNDS, event);
    found.rule = event.memory->absence;
    found.can_continue = !event.memory->is_mapped;
    publish(found, *block.current);
    return false;
  }
};

}  // namespace simt::check

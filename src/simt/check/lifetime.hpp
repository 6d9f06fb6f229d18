// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to memory that was freed. Double frees and leaks, which are the host's, are in heap.hpp.
#pragma once

#include "simt/check/reports.hpp"

namespace simt::check {

struct lifetime : access_check {
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (!event.memory->is_freed) return true;
    publish_access(WARPZ_USE_AFTER_FREE, block, event);
    return false;
  }
};

}  // namespace simt::check

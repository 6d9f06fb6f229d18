// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to memory that was freed. The host's part of a buffer's life, with double frees and leaks, is heap.hpp's.
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

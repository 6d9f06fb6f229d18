// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses at addresses that are not multiples of the alignment of their type.
#pragma once

#include "simt/check/reports.hpp"

namespace simt::check {

struct alignment : access_check {
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if ((event.address & (event.alignment - 1)) != 0) publish_access(WARPZ_MISALIGNED, block, event);
    return true;
  }
};

}  // namespace simt::check

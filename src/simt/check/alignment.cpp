// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/alignment.hpp"

#include <cstdio>

namespace simt::check {

void alignment::report_composite(checked_block& block, checked_access event) {
  if (is_known(event)) return;
  address_ = event.address;
  thread_ = event.clock.thread;
  char rule[128];
  std::snprintf(rule, sizeof rule, "a lane accesses an address that is not a multiple of %zu, as its type requires",
                event.alignment);
  access_finding found = finding_of(WARPZ_MISALIGNED, event);
  found.rule = rule;
  publish(found, *block.current);
}

void alignment::report_number(checked_block& block, checked_access event) {
  if (!is_known(event)) publish_access(WARPZ_MISALIGNED, block, event);
}

bool alignment::is_known(checked_access event) const {
  constexpr std::uintptr_t near = 128;
  return thread_ == event.clock.thread && event.address - address_ < near;
}

}  // namespace simt::check

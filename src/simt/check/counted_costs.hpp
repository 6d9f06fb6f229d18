// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For --counters: passes accesses, collectives and barriers to the counter of what they cost a GPU.
#pragma once

#include <cstdint>

#include "simt/check/checked_access.hpp"
#include "simt/counters/cost_counter.hpp"

namespace simt::check {

class counted_costs : public access_check {
 public:
  void begin_block(checked_block& block, std::uint64_t number) {
    counter_.begin_block(*block.current, number);
    block.is_recorded |= counter_.is_on();
  }
  void end_block() {
    if (counter_.is_on()) counter_.end_block();
  }
  void begin_collective(warp& current_warp, const pending_collective& met) {
    if (counter_.is_on()) counter_.meet(current_warp, met);
  }
  void pass_barrier() {
    if (counter_.is_on()) counter_.pass_barrier();
  }
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (block.is_recorded && counter_.is_on()) note_access(event);
    return true;
  }

  /// The running lane is about to access a vector there, or a struct that is aligned like one.
  void begin_vector(checked_block& block, std::uintptr_t address, std::uint64_t alignment, bool is_written) {
    if (counter_.is_on()) note_vector(block, address, alignment, is_written);
  }

 private:
  void note_access(checked_access event);
  void note_vector(checked_block& block, std::uintptr_t address, std::uint64_t alignment, bool is_written);

  counters::cost_counter counter_;
};

}  // namespace simt::check

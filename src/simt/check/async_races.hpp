// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of a kernel, of a copy or of the host that nothing orders behind work which was given to the device before.
//
// The machine has ended that work already, as it runs work at once. A GPU may not have begun it (past_work.hpp).
#pragma once

#include "simt/check/checked_access.hpp"
#include "simt/check/past_work.hpp"

namespace simt::check {

class async_races : public access_check {
 public:
  [[gnu::always_inline]] bool access_region(checked_block& block, checked_access& event) {
    if (event.memory->looked_at_by != launch_) watch(block, event);
    return true;
  }

  void begin_block(checked_block&, std::uint64_t);

 private:
  [[gnu::noinline]] void watch(checked_block& block, checked_access event);
  void check(const checked_block& block, checked_access event);

  std::uint32_t launch_ = 0;  ///< counts launches
};

/// The work that runs now accesses these bytes: checks and notes it.
void check_work(const row_range& bytes, bool is_written, work_kind kind);

// What memory_observer promises of the host's accesses.
bool is_free_for_host(std::uintptr_t address, std::size_t bytes);
work_clock check_host(std::uintptr_t address, std::size_t bytes, bool is_written, const work_clock& host);
work_clock seen_by_host(std::uintptr_t address, std::size_t bytes);

}  // namespace simt::check

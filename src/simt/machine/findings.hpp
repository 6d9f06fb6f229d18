// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broken rules, put into records and handed to the sink; then the process ends.
//
// All of it may run in a signal handler: no allocation, no lock that a lane could hold, no stdio.
#pragma once

#include "simt/machine/block.hpp"

namespace simt {

/// Lanes of a warp that cannot go on: they wait in operations that others will never reach.
[[noreturn]] void report_stuck_warp(const block& where, const warp& stuck);

/// All threads wait at barriers that cannot be passed.
[[noreturn]] void report_stuck_barrier(const block& where, const char* rule);

/// A lane calls an operation with a mask that does not name it.
[[noreturn]] void report_wrong_mask(const block& where, const fiber& caller, lane_mask mask, const site& at);

/// An executing lane and its call stack, innermost frame first.
struct execution {
  const fiber* self = nullptr;
  unsigned frame_count = 0;
  std::uint64_t frames[WARPZ_FINDING_FRAMES] = {};
};

/// Fills the call stack of the caller, or of what a signal handler interrupted, leaving out the handler.
void capture_stack(execution& into, std::uint64_t interrupted_at);

/// Where a call stands, and the lanes that it names.
void copy_place(warpz_place& to, const site& from, lane_mask mask);

/// Ends the process after what was published.
[[noreturn]] void stop_kernel();

/// A lane was stopped by a signal.
/// `forbidden`: the address is mapped, and this access to it is not allowed.
[[noreturn]] void report_crash(const block& where, const execution& at, int signal_number, const void* address,
                               bool forbidden);

/// The time for progress ran out. `at.self` is the lane that executes, if one does.
[[noreturn]] void report_no_progress(const block& where, const execution& at, double seconds);

/// The machine cannot keep as many blocks alive as wait for each other.
[[noreturn]] void report_too_many_waiting(const block& where, const execution& at, std::size_t blocks_alive);

}  // namespace simt

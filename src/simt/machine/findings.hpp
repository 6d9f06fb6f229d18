// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of the machine itself: fills a record with the broken rule, publishes it and ends the process.
//
// All of it may run in a signal handler: no allocation, no lock that a lane could hold, no stdio.
#pragma once

#include "simt/machine/block.hpp"

namespace simt {

// The next three are divergences: they end the process, unless settings.continue_after_divergence says that only the
// launch ends.

/// Lanes of a warp wait for ever, in operations that others will never reach.
void report_stuck_warp(const block& current, const warp& stuck);

/// All threads wait, and not at one barrier.
void report_stuck_barrier(const block& current, const site& at);

/// A lane calls an operation with a mask that does not name it.
void report_wrong_mask(const block& current, const fiber& caller, lane_mask mask, const site& at);

/// A warning: part of a warp has returned, and the rest of it passes a barrier; or any threads have, and the others
/// pass one that is about all threads of the block.
void report_partial_barrier(const block& current, const site& at, bool asks_all);

/// An executing lane and its call stack, innermost frame first.
struct execution {
  const fiber* self = nullptr;
  unsigned frame_count = 0;
  std::uint64_t frames[WARPZ_FINDING_FRAMES] = {};
};

/// Captures the call stack of the caller or, in a signal handler, of the code interrupted at this address. 0: the
/// caller. No frames at or above `end` on the stack; 0: all.
void capture_stack(execution& target, std::uint64_t interrupted_at, std::uintptr_t end = 0);

/// The place of a call, and the lanes that it names.
void copy_place(warpz_place& target, const site& source, lane_mask mask);

/// The place of a collective, and the lanes that its calls name, if not all.
void copy_place(warpz_place& target, const pending_collective& source);

/// The kernel of the block, and how it was launched.
void copy_launch(warpz_finding& target, const block& current);

/// Ends the process; findings have been published.
[[noreturn]] void stop_kernel();

/// A signal stopped a lane. `forbidden`: the address is mapped, but does not allow this access.
[[noreturn]] void report_crash(const block& current, const execution& at, int signal_number, const void* address,
                               bool forbidden);

/// Nothing has made progress for so long. `at.self` is the lane that executes, if one does.
[[noreturn]] void report_no_progress(const block& current, const execution& at, double seconds);

/// A stream waits for a value that nobody has written for so long. `call`: where the program has given it the wait.
[[noreturn]] void report_endless_wait(const execution& call, double seconds);

/// The launch has taken so long, with progress.
[[noreturn]] void report_time_limit(const block& current, const execution& at, double seconds);

/// More blocks wait for each other than the machine can keep alive.
[[noreturn]] void report_too_many_waiting(const block& current, const execution& at, std::size_t blocks_alive);

}  // namespace simt

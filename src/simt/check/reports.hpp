// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of the checks, as records for the host program: the first one in full, then repetitions are counted.
//
// The run continues after a finding, except where the access itself is impossible.
#pragma once

#include <cstdint>

#include "simt/check/checked_access.hpp"

namespace simt::check {

struct accessor {
  access_stamp self;
  access_kind kind;
};

struct access_finding {
  warpz_finding_kind kind;
  warpz_severity severity;
  warpz_relation relation;
  const region* memory;  ///< null: at a null pointer
  std::uintptr_t address;
  std::size_t size;
  accessor current;
  accessor earlier;  ///< if has_earlier
  bool has_earlier;
  bool can_continue;
  const char* rule;  ///< as one sentence; null: the one of the kind
  site ordered_at;   ///< for a race: where both lanes last met to order memory, before both accesses; line 0: nowhere
  warpz_race_pattern pattern;
  bool is_guess;  ///< the pattern may have shown by chance
};

/// A finding of this kind about an access after which the kernel can go on, and which involves no other lane.
access_finding finding_of(warpz_finding_kind kind, checked_access event);

/// Publishes a finding of this kind about an access.
void publish_access(warpz_finding_kind kind, const checked_block& block, checked_access event);

inline constexpr std::uint32_t no_record = ~0U;

// What findings of other files are made of.

/// A cleared record; null where there is no room. The last one is reserved for a finding that ends the kernel.
warpz_finding* next_record(bool ends_kernel);
/// The call stack of the program's call, without what it calls.
void capture_caller(call_stack& target);
void add_caller(warpz_finding& record);
/// Where the memory was allocated and freed.
void add_history(warpz_finding& record, const region& memory);

/// Publishes that the running lane breaks this rule by calling an operation.
void publish_call(warpz_finding_kind kind, const char* rule, const site& at);

/// A lane, and the call that it makes: its place, or where its code is.
struct calling_lane {
  unsigned warp, lane;
  site at;
  const void* code;
};

/// Publishes that a lane waits for another one of its warp (warp_waits.hpp). An empty rule: that of the kind.
void publish_wait(const block& current, const char* rule, const calling_lane& waiting, const calling_lane& giving);

/// Publishes, as a warning, that the program's launch of this kernel breaks this rule.
void publish_of_launch(const char* kernel, const char* rule);

/// Publishes the finding, or counts a repetition. Returns the number of its record for the functions below, or
/// no_record where there was no room.
std::uint32_t publish(const access_finding& found, const block& current);

/// Publishes that the program ignores the error of the call that it makes now: of a launch of this kernel; null: of
/// another call. `memory`: the buffer that it is about, or null. Returns the record's number, or no_record.
std::uint32_t publish_ignored_error(warpz_finding_kind kind, const char* kernel, const char* rule,
                                    const region* memory);

/// Notes whether a published finding has turned out to be none.
void set_withdrawn(std::uint32_t record, bool is_withdrawn);

/// A finding about memory that the user program's host side misuses.
struct host_finding {
  warpz_finding_kind kind;
  const region* memory;       ///< the first buffer, if it is about several
  std::uint64_t bytes;        ///< the bytes of all buffers
  std::uint32_t repeats = 0;  ///< further buffers
  warpz_severity severity = WARPZ_ERROR;
  const char* rule = "";  ///< as one sentence; empty: the one of the kind
  bool has_call = true;   ///< it is about the call that the program makes now
};
void publish_of_host(const host_finding& found);

/// Makes a published warning an error.
void raise_to_error(std::uint32_t record);

/// Notes whether a published finding follows from another one.
void set_effect(std::uint32_t record, bool is_effect);

/// Whether the published finding shows this access.
bool is_example(std::uint32_t record, const access_finding& found);

/// Makes the published finding show this access, and no longer count the one that it showed.
void replace_example(std::uint32_t record, const access_finding& found, const block& current);

/// Notes what the lanes of a published race do.
void note_pattern(std::uint32_t record, warpz_race_pattern pattern);

/// At the end of a launch: races that are warnings only because a pattern was guessed each time become errors.
void drop_guesses();

/// Notes that so many reads of a published race turned out to be checked by a compare-and-swap. If all were, the race
/// is a warning.
void note_checked_reads(std::uint32_t record, std::uint64_t races);

/// Adds a lane of the block to those that a finding is about.
warpz_lane_group& add_lane(warpz_finding& record, const block& current, std::uint32_t thread, warpz_lane_state state);

/// Fills in who accessed memory, where.
void describe(warpz_lane_group& group, const accessor& lane, std::size_t size, index3 grid, unsigned warp_size);

/// The state of a lane that makes such an access, for findings.
warpz_lane_state state_of(access_kind kind);

}  // namespace simt::check

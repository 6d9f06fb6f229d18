// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of one block did, step by step: the model that every picture of a run is a function of.
//
// A step is one thing that lanes of a warp did together: a collective, a barrier, or loads, stores or atomics of one
// instruction. Steps of one warp are in the order of its program; those of several warps in the order in which they
// ran.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/lane_record.h"
#include "findings/line_costs.hpp"

namespace warpz {

enum class step_kind {
  load,
  store,
  update,  ///< a load and a store of the same element by one operator, such as +=
  atomic,
  collective,
  barrier
};

/// What comes of a step.
enum class step_end {
  completes,
  waits,      ///< its lanes wait for others that never come
  runs_on,    ///< they are in a loop without end
  stops,      ///< what they do here ends the kernel
  returns,    ///< they return from the kernel
  unrecorded  ///< they came here when there was no more room for what lanes do
};

/// What a lane does in a step.
enum class lane_state {
  active,
  inactive,  ///< it is elsewhere: in another branch, or at another operation
  returned,  ///< from the kernel
  unnamed,   ///< the mask leaves it out, and it does not come
  absent     ///< the block ends before it
};

/// A value as a word of bits; the step has its type.
struct lane_value {
  std::uint64_t bits = 0;
  bool is_known = false;
  /// It is undefined, or would be another one if an undefined value were.
  bool is_undefined = false;

  bool operator==(const lane_value&) const = default;
};

/// The thread of the block that has last written an element, and in which step.
struct last_writer {
  unsigned thread = 0;
  std::size_t step = 0;
};

struct lane_part {
  lane_state state = lane_state::absent;
  lane_value before;  ///< an operand; of an atomic or an update, the value in memory before it
  lane_value after;   ///< a result; what is loaded or stored; of an atomic or an update, the value in memory after it
  std::optional<unsigned> source;  ///< the lane whose operand it gets
  std::int64_t index = 0;          ///< which element is accessed
  std::int64_t offset = 0;         ///< where that element begins in its memory, in bytes
  unsigned turn = 0;               ///< how many lanes of the step accessed memory before this one
  std::optional<last_writer>
      writer;                    ///< who wrote what is loaded or changed by an atomic; nothing: nobody who was traced
  bool takes_undefined = false;  ///< the source takes no part
  bool keeps_own = false;        ///< for want of a source in its segment
};

/// How lanes and their sources hang together in a collective that moves values.
struct movement_pattern {
  enum class kind {
    none,        ///< nothing moves, or each lane has a source of its own choice
    exchange,    ///< lane ^ amount
    from_above,  ///< lane + amount
    from_below,  ///< lane - amount
    from_one,    ///< lane `amount` of each segment
    from_part    ///< the first lane of the neighboring `amount` lanes: (lane ^ amount) & ~(amount - 1)
  } shape = kind::none;
  unsigned amount = 0;
  unsigned width = 0;  ///< how many lanes a segment has
};

/// An element for which two steps race, as one of them sees it.
struct racing_element {
  std::int64_t index = 0;
  unsigned other_thread = 0;  ///< its number in the block
  std::size_t other_step = 0;
};

/// How lanes join what they gave and what they got.
struct value_join {
  std::string expression;    ///< "gave + got", "fmaxf(gave, got)"
  std::uint64_t lanes = 0;   ///< that go on with it; the others keep what they gave
  bool gathers = false;      ///< the result stands for the lanes of both values, as in a sum or an extreme
  std::size_t shown_by = 0;  ///< the step whose values are the results
};

struct trace_step {
  step_kind kind = step_kind::load;
  unsigned warp = 0;
  std::string operation;                  ///< "shuffle_xor", "load"
  std::string file;                       ///< empty: unknown
  unsigned line = 0;                      ///< 0: unknown
  std::uint64_t mask = 0;                 ///< the lanes that the call names; 0: it names none
  warpz_movement movement = WARPZ_MEETS;  ///< how a collective moves values
  movement_pattern pattern;
  std::string memory;            ///< the name of what is accessed; empty: unknown
  bool is_shared = false;        ///< it is shared memory
  bool is_single_value = false;  ///< it is no array
  warpz_value_type type = WARPZ_BITS;
  unsigned bytes = 0;              ///< that each lane accesses
  std::vector<lane_part> lanes;    ///< one for each lane of a warp
  std::optional<value_join> join;  ///< what a collective that moves values computes, where the next step shows it
  step_end end = step_end::completes;
  std::string finding;                ///< what was found here, as a noun: "data race"; empty: nothing
  std::uint64_t found_lanes = 0;      ///< the lanes that it is about
  bool is_found_wrong = false;        ///< it is about the result, and no rule is broken
  std::vector<racing_element> races;  ///< in ascending order of their elements, each once

  bool is_access() const { return kind != step_kind::collective && kind != step_kind::barrier; }
  /// Its operands are yes or no.
  bool is_vote() const {
    return kind == step_kind::collective && (movement == WARPZ_VOTES || movement == WARPZ_DECIDES);
  }
  /// Whether it changes memory that it has read itself.
  bool is_change() const { return kind == step_kind::atomic || kind == step_kind::update; }

  /// The lanes in a state.
  std::uint64_t lanes_in(lane_state state) const;
};

/// Something that was found in the run, at a line that steps may have.
struct trace_finding {
  std::string kind;
  std::string file;
  unsigned line = 0;
};

/// Lanes that take part in a finding, in words, and the step in which they do.
struct finding_party {
  std::string words;
  std::optional<std::size_t> step;
};

/// A finding in the words of the report, or a wrong element.
struct explanation {
  std::string headline;  ///< "Lane 0 left; 31 lanes wait forever"
  std::string rule;
  std::string repair;  ///< may be empty
  std::vector<finding_party> parties;
};

struct source_file {
  std::string name;
  std::vector<std::string> lines;
  bool is_include = false;  ///< and none of the files that the kernel was given in
};

struct trace {
  std::string title;  ///< what ran: the puzzle's flag
  std::string kernel;
  unsigned warp_size = 0;
  unsigned threads = 0;        ///< how many the block has
  unsigned launch = 0;         ///< its number in a user's program, from 1
  std::uint64_t schedule = 0;  ///< the seed of the order of its lanes; 0: ascending
  std::uint32_t grid[3] = {};
  std::uint32_t block[3] = {};
  std::vector<trace_step> steps;
  std::size_t shown_from = 0;                     ///< the first of them to show
  std::size_t shown_to = SIZE_MAX;                ///< behind the last of them to show
  std::uint64_t shown_warps = ~std::uint64_t{0};  ///< whose steps to show
  bool is_cut = false;         ///< there are more than anybody would look at, and nobody has said which
  std::uint64_t left_out = 0;  ///< further events of lanes, for which there was no room
  std::vector<source_file> sources;
  std::optional<run_costs> costs;  ///< what the whole run cost, where that was counted
  std::vector<trace_finding> findings;
  std::vector<explanation> explanations;      ///< those of the findings, then that of the first wrong element
  std::vector<std::uint64_t> wrong_elements;  ///< the first ones of the output

  /// The lanes that the block has in a warp.
  std::uint64_t present_in(unsigned warp) const;
  /// The first step at which a rule was broken, or else an element is wrong, or else a value undefined; 0 where there
  /// is none.
  std::size_t first_of_interest() const;
  std::size_t shown_end() const { return std::min(shown_to, steps.size()); }
  bool is_shown(std::size_t step) const;
  /// The numbers of the steps to show, ascending.
  std::vector<std::size_t> shown() const;
  unsigned warps() const { return (threads + warp_size - 1) / warp_size; }
};

/// The steps that are told as one, from a first one on: a lane that does the same over and over at one line, or the
/// warps at a barrier of the block. Returns the number behind the last.
std::size_t end_of_group(const trace& run, std::size_t first);

/// Calls `use` with each lane of a set, in ascending order.
template <class Use>
void for_each_lane(std::uint64_t lanes, const Use& use) {
  for (unsigned lane = 0; lane < 64; ++lane) {
    if ((lanes >> lane & 1) != 0) use(lane);
  }
}

/// "32.0", "-5", "(1.0, 0.5)", "0x0123", or "?" where the value is unknown or undefined.
std::string value_text(const lane_value& value, warpz_value_type type);

/// What is told of a step that does not complete: "never completes".
std::string_view end_text(step_end end);

/// How its lanes end: "wait", or if it is one, "waits".
std::string_view lanes_end_text(step_end end, bool is_one);

/// "launch 3, ", of a user's program; else empty.
std::string launch_text(const trace& run);

/// "steps 1 to 200 of 3000", "step 3 of 5", "153 of 1224 steps: those of warp 0"; empty where all are shown.
std::string steps_text(const trace& run);

/// By which options others are shown.
std::string other_steps_text(const trace& shown);

/// ", in order 7"; empty for the ascending one.
std::string order_text(const trace& run);

/// The pattern that explains all sources of a step's lanes; `present` are the lanes that the block has.
movement_pattern pattern_of(const trace_step& step, std::uint64_t present);

/// "lane ^ 16", "lane + 1", "lane 0", "lane 3 of each 8", "(lane ^ 8) & ~7"; empty for no pattern.
std::string pattern_text(const movement_pattern& pattern, unsigned warp_size);

/// "0..31", "0..7, 12": lanes, as the source documents write them.
std::string lane_ranges(std::uint64_t lanes);

}  // namespace warpz

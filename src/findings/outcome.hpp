// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The outcome of a run, and what a report may want to say about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/finding.h"
#include "abi/schedule_record.h"
#include "error.hpp"
#include "findings/line_costs.hpp"
#include "puzzle/comparison.hpp"
#include "puzzle/shared_numbers.hpp"

namespace warpz {

/// A position in the kernel's source, found from an address.
struct source_line {
  std::string function;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;    ///< in bytes, from 1; 0: unknown
  std::string code = {};  ///< the line's text; empty: unknown, or none of the user's own sources
};

/// The memory that a finding is about, by the names of the kernel's source.
struct named_memory {
  std::string name;            ///< "input", "tile", "state.count"; empty: unknown
  std::int64_t index = 0;      ///< the number of the element, or of the byte if the elements are unknown
  std::uint64_t elements = 0;  ///< their number
  unsigned element_bytes = 1;
  bool floats = false;                            ///< the elements are floats
  bool is_array = true;                           ///< or a single value
  std::vector<std::uint64_t> inner_extents = {};  ///< 33 of tile[32][33]; none is 0
};

/// The line of a file that accepts a finding.
struct suppressed_by {
  std::string file;  ///< as the user named it
  unsigned line = 0;
  std::string reason = {};
};

/// The results of one kernel with both warp sizes, where exactly one of the two is right.
struct warp_size_contrast {
  unsigned right = 0;  ///< the warp size with which the result is right
  unsigned wrong = 0;
  std::size_t mismatch_count = 0;            ///< wrong elements; 0 where the kernel broke a rule and has no result
  std::size_t elements = 0;                  ///< in the wrong output
  std::optional<mismatch> first = {};        ///< the first wrong element
  std::optional<float> right_output = {};    ///< the same element with the right warp size; nothing: there is none
  std::vector<source_line> hard_coded = {};  ///< operations written for one warp size; `function` is the code
};

/// The event of a line that goes over a whole warp, in a source that has rows or groups of 32 as well.
inline constexpr std::string_view whole_warp_event = "goes over a whole warp";

/// The event of a line that asks which lanes are active together.
inline constexpr std::string_view active_lanes_event = "asks which lanes are active";

/// A source line that belongs to a finding, beside those of its lanes and its stack.
struct related_line {
  std::string event;  ///< what happened there: "allocated"
  std::string file;
  unsigned line = 0;
};

/// A change of one line of source.
struct line_edit {
  unsigned line = 0;
  bool replaces = false;  ///< the line; otherwise the text comes behind it
  std::string text;       ///< of one or several lines
  friend bool operator==(const line_edit&, const line_edit&) = default;
};

/// What to change so that a finding is none any more.
struct source_repair {
  std::string file;
  std::vector<line_edit> edits;
  std::string advice;  ///< in words, broken into lines as the advice of a kind
};

/// A lane, or a block, and where in the source it stands.
struct schedule_party {
  warpz_lane_group group;  ///< of one lane; of none for a block
  source_line place = {};  ///< unknown: it begins, or stands at a place without a line
};

/// In another order than the ascending one, `first` goes on from where it stands before `held` does.
struct schedule_decision {
  warpz_decision decided;
  schedule_party first;
  schedule_party held;
};

/// What of the order in which a finding was found is needed to find it.
struct shrunk_schedule {
  enum class end {
    smallest,   ///< without any one of the decisions it is not found
    cut_short,  ///< there may be fewer: a limit was reached
    not_shown,  ///< it is not found where only who goes first is as in that order
    too_long    ///< the order has more decisions than are recorded
  };
  end ended = end::smallest;
  std::vector<schedule_decision> decisions = {};
  std::uint64_t count = 0;     ///< what is left, as `decisions` has only the first ones
  std::uint64_t of_order = 0;  ///< all decisions of that order
  std::uint32_t replays = 0;   ///< runs that it took
};

/// A finding: its record, and where it was made; once it is symbolized, also its source lines and its memory.
struct symbolized_finding {
  warpz_finding record;
  std::uint64_t module_base = 0;        ///< where the code lay in the process that made the record
  std::uint64_t schedule = 0;           ///< the seed of the order in which it was found; 0: ascending
  unsigned block_threads = 0;           ///< threads of the larger blocks that the seed chose; 0: those of the first run
  std::vector<std::string> notes = {};  ///< further lines
  std::vector<source_line> stack = {};  ///< the call stack, innermost frame first
  std::vector<source_line> places = {};  ///< one for each of the record's groups; empty: unknown
  std::optional<named_memory> memory = {};
  bool shown_on_purpose = false;  ///< the puzzle is about it
  std::vector<related_line> related = {};
  std::vector<std::string> likewise = {};  ///< further lines of source of the same cause, as text
  std::string whole_file = {};             ///< the first file of the user's program, if the finding is about all of it
  std::optional<suppressed_by> suppressed = {};
  std::optional<warp_size_contrast> contrast = {};              ///< for a warp-size dependence
  std::vector<std::pair<source_line, source_line>> pairs = {};  ///< of a race: the places of all that have its cause
  std::optional<source_repair> repair = {};
  std::optional<std::size_t> in_next_round =
      {};  ///< for a race: the number of the group that is one round of a loop ahead
  std::optional<shrunk_schedule> shrunk = {};  ///< nothing: its order was not shrunk, or it has none
  bool is_of_cuda = false;                     ///< about a source of CUDA, so that names are CUDA's
};

/// From best to worst.
enum class verdict { passed, wrong_result, broken_rule };

/// The origin of the input.
struct input_source {
  enum class kind { documented, random, pattern, file } from = kind::documented;
  std::string detail;  ///< the seed, the pattern's name, or the file's name as given
};

/// What the runs of a puzzle's kernel and of a user's program have in common.
struct outcome {
  unsigned warp_size = 0;
  verdict result = verdict::passed;
  std::vector<symbolized_finding> findings;
  std::uint32_t findings_left_out = 0;  ///< at further places in the code
  std::optional<run_costs> costs = {};  ///< nothing: they were not counted, or the kernel was stopped
};

/// The inputs that a kernel is judged on.
enum class case_kind {
  asked,   ///< the documented one, or the user's choice
  hidden,  ///< further ones, as it is right on the documented one
  exact    ///< like the first, with numbers whose sums do not round, as it is nearly right on the first
};

/// Inputs that were hidden, on all of which the kernel is right.
struct hidden_inputs {
  unsigned warp_size = 0;
  std::size_t count = 0;
};

struct puzzle_outcome : outcome {
  const warpz::puzzle* puzzle = nullptr;
  std::string backend;         ///< cpu, amd or nvidia
  bool on_cpu_machine = true;  ///< which checks every lane and offers both warp sizes
  std::string device;
  std::size_t size = 0;
  input_source input;
  std::optional<float> pivot;
  std::optional<matrix_shape> shape;
  std::string kernel;          ///< its name in the module
  std::string source = {};     ///< the file that the kernel was just compiled from; empty: unknown
  plan launched;               ///< what the kernel was run with
  std::string_view path;       ///< the path that the kernel took; empty where it has only one
  std::uint32_t launches = 1;  ///< of which the last one is judged
  bool documented = true;      ///< the puzzle's documented size, data, pivot and shape
  case_kind judged = case_kind::asked;
  unsigned right_with = 0;  ///< the other warp size, with which it is right on all inputs; 0: not known
  std::vector<hidden_inputs> passed_hidden = {};  ///< for each warp size; empty: not all were tried and passed
  bool has_undefined_values = false;              ///< lanes got some, whether they count or not
  bool rests_on_rounding = false;                 ///< an element is near what is expected, and not equal
  shared_numbers inputs;                          ///< one behind the other
  shared_numbers output;                          ///< empty when the kernel was stopped
  shared_numbers expected;
  std::size_t mismatch_count = 0;
  std::vector<mismatch> first_mismatches;  ///< at most five
  double milliseconds = 0;                 ///< the kernel's time alone, as the device measured it
};

struct user_program_outcome : outcome {
  std::vector<std::string> files;   ///< its sources, as given
  std::string backend = "cpu";      ///< cpu, amd or nvidia
  int exit_code = 0;                ///< its own; 128 plus the signal's number if a signal ended it
  unsigned signal = 0;              ///< the signal that ended it; 0: it ended by itself
  bool was_stopped = false;         ///< a finding stopped it, so that its exit code is unknown
  bool is_checked = false;          ///< each memory access was checked
  double seconds = 0;               ///< from start to end, with all its reruns
  bool launched_none = false;       ///< no kernel, as far as it was checked
  bool is_started = false;          ///< by the program that is reported before it; it has told its findings as text
  bool started_broke_rule = false;  ///< a program that it has started under warpz has broken a rule
};

}  // namespace warpz

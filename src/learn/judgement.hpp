// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A verdict on one file, as another warpz has told it by --format json.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

/// What --counters has counted of one run, in all.
struct cost_totals {
  std::uint64_t collectives = 0;
  std::uint64_t transactions = 0;  ///< with global memory
  std::uint64_t conflicts = 0;     ///< passes of shared memory beyond the fewest
  std::uint64_t barriers = 0;
  std::uint64_t shuffles = 0;             ///< among the collectives
  std::uint64_t memory_instructions = 0;  ///< of warps, on global memory
  std::uint64_t serial = 0;               ///< steps of atomics whose lanes change one address

  bool operator==(const cost_totals&) const = default;
};

struct cost_kind {
  std::string_view name;  ///< in a puzzle's goal
  std::string_view noun;
  std::uint64_t cost_totals::*count;
  bool is_part = false;  ///< of another one: told only where it is the goal
};

inline constexpr std::array cost_kinds{
    cost_kind{"collectives", "collective", &cost_totals::collectives},
    cost_kind{"shuffles", "shuffle", &cost_totals::shuffles, true},
    cost_kind{"transactions", "memory transaction", &cost_totals::transactions},
    cost_kind{"bank conflicts", "bank conflict", &cost_totals::conflicts},
    cost_kind{"barriers", "barrier", &cost_totals::barriers},
    cost_kind{"memory instructions", "memory instruction", &cost_totals::memory_instructions, true},
    cost_kind{"serial atomics", "serial atomic", &cost_totals::serial, true},
};

/// A cost of which a puzzle allows so many; nothing: as many as the solution has.
struct cost_goal {
  const cost_kind* kind;
  std::optional<std::uint64_t> most;
};

/// An element near the first one that differs.
struct judged_element {
  std::uint64_t index = 0;
  std::string input = {};  ///< empty where the puzzle has not one input of this size
  std::string output = {};
  std::string expected = {};

  bool is_wrong() const { return output != expected; }
};

struct judgement {
  std::string outcome = {};  ///< as in learn/progress.hpp
  int code = 0;              ///< the exit code
  unsigned warp_size = 0;
  std::uint64_t size = 0;
  bool is_hidden = false;          ///< it is right on the documented input
  unsigned launches = 1;           ///< of which the last one is judged
  std::string input = {};          ///< "documented", "random", "pattern negative"
  std::string trace_options = {};  ///< that draw what was judged
  std::uint64_t differing = 0;     ///< elements
  std::vector<hidden_inputs> passed_hidden = {};
  std::vector<judged_element> elements = {};  ///< around the first difference
  std::string words = {};                     ///< the findings, or what the compiler says: lines, each ended
  std::optional<cost_totals> costs = {};
  double milliseconds = 0;  ///< the kernel took

  bool passed() const { return code == 0; }
};

/// What the other warpz has written to standard output and standard error. `rows` is how many elements are wanted.
judgement read_judgement(std::string_view json, std::string_view messages, std::size_t rows = 5);

/// What progress_line has last written for another warpz, on standard error: that a kernel still runs, empty where it
/// has not said so; and the messages without that.
std::string running_text(std::string_view messages);
std::string without_progress(std::string_view messages);

/// "5 collectives (the solution: 1), 8 transactions, no bank conflict, no barrier".
std::string costs_text(const cost_totals& own, const std::optional<cost_totals>& solution);

/// Turns a right kernel's outcome into "cost" where it has more of these costs than the goals allow.
void apply_goals(judgement& one, const std::optional<cost_totals>& solution, std::span<const cost_goal> goals);

/// Starts another warpz, and waits for its end.
judgement judge(std::vector<std::string> words);

}  // namespace warpz

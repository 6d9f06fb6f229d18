// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a whole user program on the CPU machine, in other orders of its lanes, too, and with two warp sizes to compare;
// and puts the findings into words.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "findings/finding_filter.hpp"
#include "findings/outcome.hpp"
#include "pieces/pieces.hpp"
#include "run/experiments/program_replay.hpp"
#include "run/lane_trace.hpp"
#include "run/leaks.hpp"

namespace warpz {

struct user_program_plan {
  user_program_run run;                            ///< the runner sets the warp size and what repeated runs need
  std::map<unsigned, std::string> libraries = {};  ///< by warp size, where it is not the run's
  std::vector<std::string> files;                  ///< its sources, or the file that --output has written
  std::vector<std::string> other_sources = {};     ///< what a compiled program was made of
  finding_choice findings;
  leak_rule leaks = leak_rule::warn;
  std::vector<std::uint64_t> schedules;  ///< seeds of the orders to run it in as well
  piece_runner* runner = nullptr;        ///< who divides them; null: nobody
  bool counts_costs = false;             ///< in the first run
  std::optional<trace_request> trace;    ///< which lanes to record
  bool is_compared = false;              ///< compare_warp_sizes() will be called
  std::function<void()> on_rerun = {};   ///< called before each run but the first
};

/// Sets how the program has ended.
void take_end(user_program_outcome& outcome, const user_program_end& end);

/// For the warpz whose program has started this one.
std::string report_of_started(const std::vector<user_program_outcome>& outcomes);

struct judged_program_run {
  user_program_outcome outcome;
  std::vector<user_program_outcome> started;  ///< of programs under warpz that it has started, if they found something
  std::optional<trace> traced;  ///< what lanes did, if the plan asks for it; nothing where no launch had the block
};

class user_program_runner {
 public:
  explicit user_program_runner(user_program_plan plan);

  /// Runs the program and waits for its end. The first run prints to `print`, or to warpz's own standard output if it
  /// is the only run. What further runs print is not shown.
  judged_program_run run(unsigned warp_size, const std::function<void(std::string_view)>& print);

  /// Adds the source lines that are written for 32 lanes to the outcome of a run with 64.
  void list_assumptions(user_program_outcome& outcome) const;

  /// Adds a finding to `second` if the program does something else with its warp size.
  void compare_warp_sizes(const user_program_outcome& first, user_program_outcome& second);

 private:
  bool is_repeated() const { return plan_.is_compared || !plan_.schedules.empty(); }
  bool may_be_repeated() const;
  code_location code_of(unsigned warp_size, const run_record& one) const;
  void add_sources_of(const std::vector<os::mapped_file>& libraries);
  const std::string& library(unsigned warp_size) const;
  program_replay new_replay(unsigned warp_size) const;
  std::optional<trace> read_trace(const user_program_end& first, const program_replay& replay);
  void add_findings(user_program_outcome& outcome, const run_record& first, program_replay& replay) const;

  user_program_plan plan_;
  input_relay input_;
  std::list<lane_recording> recordings_;        ///< the replays refer to them
  std::map<unsigned, program_replay> replays_;  ///< by their warp size
};

}  // namespace warpz

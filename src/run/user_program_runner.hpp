// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a whole program on the CPU machine and puts what was found in words: with one warp size, in other orders of its
// lanes, and with either warp size, to tell the two apart.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "findings/finding_filter.hpp"
#include "findings/outcome.hpp"
#include "run/experiments/program_runs.hpp"

namespace warpz {

struct program_plan {
  user_program_run what;           ///< with either warp size, and whatever else is up to the runner
  std::vector<std::string> files;  ///< its sources
  finding_choice findings;
  std::vector<std::uint64_t> schedules;   ///< seeds of orders in which it is run, too
  bool is_compared = false;               ///< with another warp size, later
  std::function<void()> told_rerun = {};  ///< what to call before each time that it is run again, if anything
};

class program_runner {
 public:
  explicit program_runner(program_plan how);

  /// Waits for the program's end. What it prints the first time goes to `print`, or to where this program's own does
  /// where it is run only once; what it prints when it is run again is seen by nobody.
  user_program_outcome run(unsigned lanes, const std::function<void(std::string_view)>& print);

  /// Adds to the second of two outcomes in what the two differ.
  void compare_warp_sizes(const user_program_outcome& first, user_program_outcome& second);

 private:
  program_result run_once(unsigned lanes, const warpz_perturbation& perturbation, double timeout_seconds,
                          const std::function<void(std::string_view)>& print);
  program_result run_again(unsigned lanes, std::uint64_t schedule);
  bool is_repeated() const { return how_.is_compared || !how_.schedules.empty(); }
  bool may_be_repeated() const;
  symbolized_finding of_the_whole(symbolized_finding made) const;

  program_plan how_;
  input_relay input_;
  std::map<unsigned, program_runs> ways_;  ///< in ascending order, by their lanes
};

}  // namespace warpz

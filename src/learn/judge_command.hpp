// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command lines by which a learner's or a student's file is judged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "learn/judgement.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {

/// What the solution does on the documented input.
struct solution_run {
  std::optional<cost_totals> costs;
  double limit = 0;  ///< seconds: the larger of five and ten times what it takes here
};

/// The words that name the puzzle to another warpz.
std::vector<std::string> words_for(const puzzle& task);

/// What a command that is shown has to end with, so that it knows the same puzzles: " --puzzles DIR", or nothing.
std::string puzzles_option();

/// `program` is warpz as the user called it.
solution_run run_solution(const std::string& program, const puzzle& task);

/// Judges the file on all inputs, with its costs. A kernel that takes longer than `limit` seconds is stopped.
std::vector<std::string> judge_command(const std::string& program, const puzzle& task, const std::string& file,
                                       double limit);

}  // namespace warpz

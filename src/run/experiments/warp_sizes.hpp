// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares runs with 32 and with 64 lanes in a warp: a finding if the code is right with one of them only, or does
// something else with the other one.
#pragma once

#include <span>
#include <string>

#include "findings/outcome.hpp"
#include "findings/suppressions.hpp"
#include "run/experiments/program_replay.hpp"
#include "source/searched_source.hpp"

namespace warpz {

/// Adds a warning for each line of these sources that is written for 32 lanes, to the outcome of a run with 64.
void list_warp_size_assumptions(outcome& with_64, std::span<const searched_source> sources, suppressions* accepted);

/// Adds a warp-size dependence to the outcome that is wrong, if the other one is right. The wrong outcome then counts
/// as a broken rule, unless the finding is suppressed. `source` is the kernel's file, which is searched for literals of
/// a warp's size; empty if it is not known.
void compare_warp_sizes(puzzle_outcome& one, puzzle_outcome& other, const std::string& source, suppressions* accepted);

/// For a user program that has run with both sizes: adds the dependence to `second`, by the name of the program's first
/// file. The sources are searched for literals of a warp's size.
void compare_warp_sizes(program_replay& one, program_replay& other, const std::string& first_file,
                        std::span<const searched_source> sources, suppressions* accepted, user_program_outcome& second);

}  // namespace warpz

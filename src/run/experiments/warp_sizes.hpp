// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares runs with 32 and with 64 lanes in a warp: a finding if the code is right with one of them only, or does
// something else with the other one.
#pragma once

#include <span>
#include <string>

#include "findings/outcome.hpp"
#include "findings/suppressions.hpp"
#include "findings/warp_size_lines.hpp"
#include "run/experiments/program_replay.hpp"

namespace warpz {

/// Adds a warning for each line that is surely written for the other size to the outcome of a run with this one. With
/// 32 lanes, only where an operation of a warp or a lane's number tells that warps are meant.
void list_warp_size_assumptions(outcome& one, unsigned warp_size, std::span<const warp_size_line> lines,
                                suppressions* accepted);

/// Adds a warp-size dependence to the outcome that is wrong, if the other one is right. The wrong outcome then counts
/// as a broken rule, unless the finding is suppressed. `lines` are those of the kernel that are written for one size.
void compare_warp_sizes(puzzle_outcome& one, puzzle_outcome& other, std::span<const warp_size_line> lines,
                        suppressions* accepted);

/// For a user program that has run with both sizes: adds the dependence to `second`, by the name of the program's first
/// file.
void compare_warp_sizes(program_replay& one, program_replay& other, const std::string& first_file,
                        std::span<const warp_size_line> lines, suppressions* accepted, user_program_outcome& second);

}  // namespace warpz

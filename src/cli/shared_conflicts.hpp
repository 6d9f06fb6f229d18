// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conflicts that options of several groups have.
#pragma once

#include "cli/option_table.hpp"

namespace warpz {

inline constexpr std::string_view leave_check_out = "Leave --check out.";

/// --output compiles a program and does not run it.
inline constexpr std::string_view not_run = "the program is not run";
inline constexpr conflict compilation[] = {{.option = "output", .reason = not_run}};
/// The file that a run writes would be missed.
inline constexpr conflict compilation_of_results[] = {
    {.option = "output", .reason = not_run, .advice = "Give it with --run of the file that --output writes."}};

}  // namespace warpz

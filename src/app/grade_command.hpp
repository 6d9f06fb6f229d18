// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `warpz grade`: what a class has handed in, judged.
#pragma once

#include <string>

#include "cli/commands.hpp"
#include "pieces/pieces.hpp"
#include "report/output_stream.hpp"

namespace warpz {

/// Returns the exit code: 0 where everything is right. `program` is warpz as the user called it. `files`: who judges
/// which file; null: threads of this process do.
int run_grade_command(const word_command& command, const std::string& program, output_stream& out, piece_runner* files);

}  // namespace warpz

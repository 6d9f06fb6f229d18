// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --run: compiles the user's program, runs it and reports what was found.
#pragma once

#include "cli/options.hpp"
#include "pieces/pieces.hpp"
#include "report/report.hpp"

namespace warpz {

/// Returns the exit code: the program's own, unless something was found. `runner`: who divides its further runs; null:
/// nobody.
int run_user_program(const options& command, report& reporter, output_stream& out, output_stream& err,
                     piece_runner* runner);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --run: compiles the user's program, runs it and reports what was found.
#pragma once

#include "cli/options.hpp"
#include "report/report.hpp"

namespace warpz {

/// Returns the exit code: the program's own, unless something was found.
int run_user_program(const options& command, report& reporter, output_stream& out, output_stream& err);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --run: compile, run, report.
#pragma once

#include "cli/options.hpp"
#include "report/output_stream.hpp"

namespace warpz {

/// The exit code: the program's own unless something was found.
int run_program_command(const options& asked, output_stream& out, output_stream& err);

}  // namespace warpz

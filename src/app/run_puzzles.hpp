// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs puzzles: with the kernels, the data and the devices that the options choose.
#pragma once

#include "cli/options.hpp"
#include "report/report.hpp"
#include "run/prepared_run.hpp"

namespace warpz {

/// The data and the settings that the options choose.
run_request run_request_of(const options& command, const finding_choice& findings);

/// Returns the exit code: that of the worst outcome. `runner`: who divides the work; null: nobody.
int run_puzzles(const options& command, report& reporter, output_stream& out, output_stream& err, piece_runner* runner);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs puzzles: with the kernels, the data and the devices that the options choose.
#pragma once

#include <optional>

#include "cli/options.hpp"
#include "report/report.hpp"
#include "run/backend.hpp"
#include "run/runner.hpp"

namespace warpz {

/// The device that the options choose, with this warp size if there is one.
device_request device_request_of(const options& command, std::optional<unsigned> warp_size);

/// The data and the settings that the options choose.
run_request run_request_of(const options& command, const finding_choice& findings);

/// Returns the exit code: that of the worst outcome.
int run_puzzles(const options& command, report& reporter, output_stream& out, output_stream& err);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands for learning: learn, watch, hint, status and reset.
#pragma once

#include <string>

#include "cli/commands.hpp"
#include "report/output_stream.hpp"

namespace warpz {

/// Returns the exit code. `program` is warpz as the user called it.
int run_learn_command(const word_command& command, const std::string& program, output_stream& out);

}  // namespace warpz

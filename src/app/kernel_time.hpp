// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a user's kernel may take for a puzzle, by how long the solution takes here.
#pragma once

#include "cli/options.hpp"
#include "run/prepared_run.hpp"

namespace warpz {

/// Sets the time limits of a run with --kernel on the CPU: five seconds, or ten times what the solution takes with as
/// many lanes. Leaves them alone where the command line says them, or the input is large: then the solution takes long,
/// too.
void limit_time(run_request& request, const puzzle& task, const options& command, const chosen_device& on);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a run was right: its findings in words, and its output beside the expected one.
#pragma once

#include "run/execution.hpp"

namespace warpz {

/// The outcome of the run, which keeps its numbers. `kernels` is the process that has run it last.
puzzle_outcome judge(const prepared_run& prepared, const execution& executed, const run_request& request,
                     const kernel_process& kernels);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose lanes use undefined values: undefined_search.hpp.
#pragma once

#include <vector>

#include "run/experiments/kernel_replay.hpp"

namespace warpz {

/// What is found in the kernel that has just run with every access watched, one finding for each place in the source.
/// Where there was no undefined value, the kernel is not run again. The kernel_process's buffers hold what the
/// first run wrote before and after.
std::vector<located_finding> find_undefined_values(kernel_process& on, const kernel_run& what,
                                                   const kernel_result& first);

}  // namespace warpz

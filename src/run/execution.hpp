// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The run of a prepared kernel, and the runs that are varied to find out more.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "findings/outcome.hpp"
#include "findings/symbols.hpp"
#include "run/prepared_run.hpp"
#include "trace/trace.hpp"

namespace warpz {

/// What a run has left.
struct execution {
  kernel_result ran;
  std::vector<symbolized_finding> found;  ///< by this run, and by the varied ones
  shared_numbers output;
  std::string_view path;  ///< that the kernel took; empty where it has only one
  std::optional<run_costs> costs = {};
  std::optional<trace> traced = {};
};

/// Runs the kernel once over the buffers as they are, with this launch in place of the prepared one.
execution launch_once(kernel_process& kernels, const prepared_run& prepared, const kernel_run& launch);

/// Runs the kernel, with what the request wants recorded; and again, with undefined values varied and in other orders.
/// Throws error(no_device) where the device fails.
execution execute(kernel_process& kernels, const prepared_run& prepared, const run_request& request);

/// Where the kernels' code lies in a process whose module begins at `base`.
code_location code_of(const kernel_process& kernels, std::uint64_t base);

}  // namespace warpz

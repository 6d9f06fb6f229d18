// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures puzzles' kernels: --bench.
#pragma once

#include "cli/options.hpp"
#include "report/output_stream.hpp"

namespace warpz {

/// Returns the exit code: that of the worst verdict.
int run_benchmarks(const options& command, output_stream& out, output_stream& err);

}  // namespace warpz

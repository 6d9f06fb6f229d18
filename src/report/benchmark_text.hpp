// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --bench has measured, in words.
#pragma once

#include <string>

#include "run/benchmark.hpp"

namespace warpz {

/// A table with a bar for each kernel's share of the copy's rate: what stands above it, and the line of one that was
/// measured after the copy, or of the copy.
std::string benchmark_head(const benchmark& all);
std::string benchmark_line(const measurement& one, const benchmark& all);

/// The same as CSV: a line of names, then one for each kernel.
std::string benchmark_csv(const benchmark& all);

/// The document of --format json (docs/output.schema.json).
std::string benchmark_json(const benchmark& all, int exit_code);

}  // namespace warpz

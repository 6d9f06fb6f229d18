// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --bench has measured, in words.
#pragma once

#include <string>

#include "run/benchmark.hpp"

namespace warpz {

/// A table with a bar for each kernel's share of the copy's rate.
std::string benchmark_text(const benchmark& all);

/// The same as CSV: a line of names, then one for each kernel.
std::string benchmark_csv(const benchmark& all);

/// The document of --format json (docs/output.schema.json).
std::string benchmark_json(const benchmark& all, int exit_code);

}  // namespace warpz

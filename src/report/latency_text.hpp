// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --bench latency has measured, in words.
#pragma once

#include <string>

#include "run/latency.hpp"

namespace warpz {

/// A table of the operations, beside what the Mojo GPU Puzzles claim (puzzles/README.md).
std::string latency_text(const latency_table& all);

/// The measurements as CSV: a line of names, then one for each operation.
std::string latency_csv(const latency_table& all);

/// The measurements for --format json, as docs/output.schema.json describes.
std::string latency_json(const latency_table& all);

}  // namespace warpz

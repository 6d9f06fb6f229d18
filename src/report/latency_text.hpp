// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --bench latency has measured, in words.
#pragma once

#include <string>

#include "run/latency.hpp"

namespace warpz {

/// A table of the operations with what the documents claim.
std::string latency_text(const latency_table& all);

/// The same as CSV: a line of names, then one for each operation.
std::string latency_csv(const latency_table& all);

/// The document of --format json (docs/output.schema.json).
std::string latency_json(const latency_table& all);

}  // namespace warpz

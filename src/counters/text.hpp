// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs as a table for a person, and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "findings/line_costs.hpp"

namespace warpz {

/// Line by line in the order of the source, each with its code, then the sums. One table for each kernel.
std::string costs_text(const run_costs& costs);

/// The value of "costs" (docs/output.schema.json).
nlohmann::ordered_json costs_json(const run_costs& costs);

}  // namespace warpz

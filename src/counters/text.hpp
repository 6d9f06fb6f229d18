// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs as a table for a person, and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "findings/line_costs.hpp"

namespace warpz {

/// Line by line in the order of the source, each with its code, then the sums. One table for each kernel.
std::string costs_text(const run_costs& costs);

/// "32 lanes: load, shared: 1024 passes, 32 at best. 32-way bank conflict: lanes are 128 bytes apart; ..."
std::string cost_sentence(const line_cost& line, unsigned warp_size);

/// The value of "costs" (docs/output.schema.json).
nlohmann::ordered_json costs_json(const run_costs& costs);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the record that a run has left to the costs of source lines.
#pragma once

#include "findings/line_costs.hpp"
#include "findings/symbols.hpp"

namespace warpz {

/// The record may hold anything. Rows that make no sense are left out.
run_costs read_costs(const warpz_cost_record& record, const code_location& code, unsigned warp_size);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "findings/line_costs.hpp"

namespace warpz {

/// What makes a line cost more than it has to, and what would fix it, in one sentence; empty where it costs little
/// more.
std::string advice_on(const line_cost& line, unsigned warp_size);

}  // namespace warpz

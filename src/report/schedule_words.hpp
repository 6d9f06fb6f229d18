// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of an order makes a fault show, in words.
#pragma once

#include <string>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

/// "lane 3 of warp 1", "block 2".
std::string party_text(const schedule_decision& decided, const schedule_party& party);

/// What of its order is needed to find the finding, as lines of text; none where that is not known.
std::vector<std::string> schedule_lines(const symbolized_finding& finding);

}  // namespace warpz

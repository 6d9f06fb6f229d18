// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding in the words of a trace's page: those of the report, under a headline.
#pragma once

#include "findings/outcome.hpp"
#include "trace/trace.hpp"

namespace warpz {

/// One party for each of the finding's groups of lanes, in their order.
explanation explanation_of(const symbolized_finding& finding);

}  // namespace warpz

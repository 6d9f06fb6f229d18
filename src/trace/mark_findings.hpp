// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was found in a run, at the steps of its trace.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "findings/outcome.hpp"
#include "trace/trace.hpp"

namespace warpz {

/// Whether it was found in what the trace shows: in the same order and the same launch.
bool is_in(const trace& run, const symbolized_finding& found);

/// Marks the last store to an element of the output that is wrong; where there is none, adds the step in which the lane
/// returns that should have written it.
void mark_wrong_element(trace& run, std::string_view output, const mismatch& wrong);

/// Marks the steps and lanes that the findings are about, and adds the steps in which lanes end that go no further.
void mark_findings(trace& run, std::span<const symbolized_finding> found);

}  // namespace warpz

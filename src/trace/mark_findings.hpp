// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was found in a run, at the steps of its trace.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "findings/outcome.hpp"
#include "trace/trace.hpp"

namespace warpz {

/// Whether it was found in what the trace shows: in the same order and the same launch.
bool is_in(const trace& run, const symbolized_finding& found);

/// A finding in words, one party for each of its groups.
using finding_words = explanation (*)(const symbolized_finding&);

/// Marks the last store to an element of the output that is wrong; where there is none, adds the step in which the lane
/// returns that should have written it. Returns that step.
std::optional<std::size_t> mark_wrong_element(trace& run, std::string_view output, const mismatch& wrong);

/// Marks the steps and lanes that the findings are about, and adds the steps in which lanes end that go no further.
/// Explains those that no line of a --suppress file accepts.
void mark_findings(trace& run, std::span<const symbolized_finding> found, finding_words explained);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds lanes that use an undefined value, which comes from a lane that takes no part, or from a variable that was
// never set, by running the code again with other values in its place. A value that is read and then dropped changes
// nothing, and is no finding.
#pragma once

#include <vector>

#include "findings/outcome.hpp"
#include "run/experiments/replay.hpp"

namespace warpz {

/// Whether the code should be run again at all, after its first run. If it did not end, or exceeded a limit, it may do
/// so each time.
bool may_be_searched(const run_record& first);

/// One finding for each place in the source. `first` is the run without any variation, with every access checked, and
/// `timeout_seconds` its time limit; 0: none. Code that has read no undefined value is not run again.
std::vector<symbolized_finding> find_undefined_values(replay& code, const run_record& first, double timeout_seconds);

/// Values to put in place of undefined ones, to see what depends on them. They differ from the default and from each
/// other, in arithmetic as well as in comparisons.
std::vector<std::uint64_t> telling_values();

}  // namespace warpz

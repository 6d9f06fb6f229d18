// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that nobody has written, and that a user program copies to its host. That is an error where the value matters
// there: the program fails, or does something else when device memory holds something else at first.
#pragma once

#include <vector>

#include "run/experiments/replay.hpp"

namespace warpz {

/// Whether the first run has copied such memory.
bool has_unwritten_copies(const run_record& first);

/// The errors among these copies, once `code` has been run again with other values in its memory. `failed`: the program
/// has ended with an exit code that says so. Errors replace the warnings of the first run.
std::vector<located_finding> find_unwritten_copies(replay& code, const run_record& first, bool failed);

/// Whether the finding is about such a copy.
bool is_unwritten_copy(const warpz_finding& finding);

}  // namespace warpz

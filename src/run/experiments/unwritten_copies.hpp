// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that nobody has written, and that a user program copies to its host. That is an error if the value matters
// there: the program fails, or does something else when device memory holds something else at first.
#pragma once

#include <vector>

#include "run/experiments/replay.hpp"

namespace warpz {

/// Whether the first run has copied such memory.
bool has_unwritten_copies(const run_record& first);

/// The errors among these copies. To find them, the code is run again with other values in its memory. `failed`: the
/// first run's exit code says that it has failed. The errors replace the warnings of the first run.
std::vector<symbolized_finding> find_unwritten_copies(replay& code, const run_record& first, bool failed);

/// Whether the finding is about such a copy.
bool is_unwritten_copy(const warpz_finding& finding);

}  // namespace warpz

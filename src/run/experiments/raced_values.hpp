// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs code again to see what its data races are about: whether two lanes that write the same value would do so on
// other data, whether anything depends on a value that a lane reads, and whether a counter is set again in every order
// behind the last atomic.
#pragma once

#include <vector>

#include "run/experiments/replay.hpp"

namespace warpz {

/// Of the races that `first` has found: writes of the same value become errors unless the code stores a constant, or a
/// run with other data in the program's copies to the device shows the same value again; a race is a warning if nothing
/// is different whatever is read; a counter that is set again is an error if another order shows an atomic behind it.
void judge_races(replay& code, const run_record& first, std::vector<symbolized_finding>& found);

}  // namespace warpz

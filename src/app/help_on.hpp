// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Help by topic: `warpz help trace`, `warpz help neighbor`, `warpz --help --neighbor`.
#pragma once

#include <string>

#include "puzzle/puzzle.hpp"

namespace warpz {

/// The task, how its kernel is called, and what to read.
std::string help_on(const puzzle& task);

/// Without a topic, the same as --help. Throws error(bad_input) where it is none.
std::string help_on(const std::string& topic);

}  // namespace warpz

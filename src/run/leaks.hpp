// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that a program never frees: a mistake, but one that no GPU minds.
#pragma once

#include <span>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

/// What a leak is: a finding that fails the run, a warning, or not worth a word.
enum class leak_rule { error, warn, off };

/// One finding, in words, for all buffers that were allocated at one line, in the order of the first of each.
std::vector<symbolized_finding> joined_leaks(std::span<const symbolized_finding> leaks, leak_rule rule);

}  // namespace warpz

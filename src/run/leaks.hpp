// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that a program never frees: a mistake, though GPUs tolerate it.
#pragma once

#include <span>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

/// How a leak is reported: as an error, which fails the run, as a warning, or not at all.
enum class leak_rule { error, warn, off };

/// One finding, with its message, for all buffers that were allocated at the same line, in the order of their first
/// buffers.
std::vector<symbolized_finding> joined_leaks(std::span<const symbolized_finding> leaks, leak_rule rule);

}  // namespace warpz

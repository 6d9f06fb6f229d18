// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread of a block tells other blocks, by an atomic, what all of its threads have written, or looks for all of
// them whether others have written: barriers of the block before and behind that.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

/// Of a write, and a read behind it in the source, by different blocks. `barrier`: of the block, as the file calls it.
/// Nothing where no such barrier is missing.
std::optional<source_repair> arrival_repair(const symbolized_finding& race, const source_outline& outline,
                                            std::string_view barrier);

}  // namespace warpz

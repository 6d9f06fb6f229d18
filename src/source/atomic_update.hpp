// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A statement that reads an element and writes it again, as one atomic: sums, counts, a maximum or a minimum.
#pragma once

#include <optional>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

/// Nothing where no one atomic does the same, or none of that type is known to exist.
std::optional<source_repair> atomic_update(const symbolized_finding& race, const source_outline& outline,
                                           const source_statement& statement);

}  // namespace warpz

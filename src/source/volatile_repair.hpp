// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics in place of the volatile accesses of a variable by which lanes poll.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"

namespace warpz {

/// Nothing where the accesses cannot be told from the text. `text` is that of the file in which the first place is.
std::optional<source_repair> volatile_repair(const symbolized_finding& race, std::string_view text);

}  // namespace warpz

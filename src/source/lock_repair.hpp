// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that is not given back on each way out of where it is held.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"
#include "findings/symbols.hpp"

namespace warpz {

/// Of a kernel that waits for a lock: what gives it back, before each `return`, `break` and `continue` that leaves it
/// out. Nothing where none does, or where the text does not tell what gives it back.
std::optional<source_repair> lock_repair(const symbolized_finding& finding, const code_location& code);

/// The same for the line of a source at which a lane waits.
std::optional<source_repair> lock_repair(std::string_view text, unsigned line);

}  // namespace warpz

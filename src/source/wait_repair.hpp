// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the host has to wait so that an access comes behind work that it has given to the device before.
#pragma once

#include <optional>

#include "findings/outcome.hpp"
#include "findings/symbols.hpp"

namespace warpz {

/// Nothing where no line is known before which waiting would order the two.
std::optional<source_repair> wait_repair(const symbolized_finding& race, const code_location& code);

}  // namespace warpz

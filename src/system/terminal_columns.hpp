// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace warpz {

/// How wide text for a descriptor is to be: as wide as its terminal, but no wider than it is easily read; elsewhere
/// what COLUMNS says, or 80.
std::size_t terminal_columns(int descriptor);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>

namespace warpz {

/// How wide text for a descriptor is to be: as wide as its terminal, but no wider than it is easily read; elsewhere
/// what COLUMNS says, or 80.
std::size_t terminal_columns(int descriptor);

/// How wide the terminal is; nothing where the descriptor is none.
std::optional<std::size_t> width_of_terminal(int descriptor);

}  // namespace warpz

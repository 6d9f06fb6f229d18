// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of the command line that repeat what a puzzle was run on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "findings/outcome.hpp"

namespace warpz {

/// Whether the size is that of the shape's matrices: then the shape is repeated rather than the size. It is not where
/// the user's numbers were spread over square matrices and did not fill them.
bool has_shape(const puzzle_outcome& result);

/// Each word after a blank; empty for the documented data. `size` replaces the outcome's.
std::string data_words(const puzzle_outcome& result, std::optional<std::size_t> size = {});

}  // namespace warpz

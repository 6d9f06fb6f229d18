// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How to change a source so that all threads reach a barrier, or a mask names all lanes, by the text of the source.
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"

namespace warpz {

/// For a barrier in a branch that some threads leave out, and for a mask of 32 lanes where a warp has 64; nothing where
/// no change is known. `text` is that of the file of the finding's first place.
std::optional<source_repair> divergence_repair(const symbolized_finding& finding, std::string_view text);

}  // namespace warpz

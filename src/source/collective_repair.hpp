// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"

namespace warpz {

/// The change of the source that lets all lanes reach an operation of a warp: a call with a simple operand in front of
/// its branch, a mask of all lanes or of those that have not left, or a width that is a power of two. Nothing where
/// that cannot be told from the text.
std::optional<source_repair> collective_repair(const symbolized_finding& finding, std::string_view text);

}  // namespace warpz

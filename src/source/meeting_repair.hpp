// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches by a flag around all that only some threads do, so that the others come to what all have to reach together:
// the barriers of a block, or the operations of a warp without a mask.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "findings/outcome.hpp"
#include "source/source_outline.hpp"

namespace warpz {

enum class meeting { of_block, of_warp, of_cuda_warp };

/// `number`: the token of one that not all reach. A loop that threads leave at different times goes on until all are
/// done, by a vote in its head. Nothing where the text does not tell: a function that not all threads call, a barrier
/// within a `switch` or an operand that the others cannot compute.
std::optional<source_repair> repair_of_meeting(const source_outline& outline, const std::string& file,
                                               std::size_t number, meeting kind);

}  // namespace warpz

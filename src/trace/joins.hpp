// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operation by which lanes join what they gave and what they got to what they go on with. No event tells it: it is
// found by the values, and only what agrees with all of them is told.
#pragma once

#include <string_view>

#include "trace/trace.hpp"

namespace warpz {

/// Whether the operation does nothing but move values, so that the kernel's own text joins them.
bool only_moves(std::string_view operation);

/// Sets `join` of the steps in which lanes get each other's values, where their warp's next step that gives or stores
/// values shows what has become of these. The sources tell how the kernel spells the operation.
void find_joins(trace& run);

}  // namespace warpz

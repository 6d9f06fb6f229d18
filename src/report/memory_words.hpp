// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a finding is about, in words.
#pragma once

#include <string>

#include "findings/outcome.hpp"

namespace warpz {

/// "input[32]", "tile[3][7]", "state.count".
std::string element_text(const named_memory& memory);

/// "input has 32 elements", "tile has 32 x 33 elements".
std::string extent_text(const named_memory& memory);

/// Of a finding that is about memory: "tile[3]; tile has 32 elements", or "count in shared memory", which is no array,
/// and the values in two runs where they are the finding.
std::string memory_text(const symbolized_finding& finding);

}  // namespace warpz

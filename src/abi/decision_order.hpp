// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the decisions in a record: who writes them sorts by it, and the machine looks up a block's by it.
#pragma once

#include <tuple>

#include "abi/schedule_record.h"

namespace warpz {

/// By launch; then those among blocks; then those among the threads of a block, by block.
inline bool comes_before(const warpz_decision& a, const warpz_decision& b) {
  return std::make_tuple(a.launch, a.of_blocks == 0, a.block) < std::make_tuple(b.launch, b.of_blocks == 0, b.block);
}

}  // namespace warpz

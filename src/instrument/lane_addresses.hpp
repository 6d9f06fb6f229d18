// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows from a lane's number is computed once for each lane, before its branches, and what is the same for all
// lanes before their loop. The optimizer has computed an index anew in each branch, and nobody sees then that lanes
// read and write side by side.
#pragma once

#include "llvm/IR/BasicBlock.h"

namespace warpz::instrument {

/// Moves arithmetic of addresses to `first`, the first block of a loop over lanes, if its operands are known there;
/// and, with comparisons, to `before`, the block between the function's first one and the loop.
void compute_addresses_first(llvm::BasicBlock& before, llvm::BasicBlock& first);

}  // namespace warpz::instrument

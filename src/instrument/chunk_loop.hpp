// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over as many lanes of a warp as are taken at once, and how to make one.
#pragma once

#include <vector>

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace warpz::instrument {

/// So many lanes at once: two vectors of floats, and the most that all usual rows of a block are multiples of.
constexpr unsigned lanes_at_once = 16;

/// A loop over lanes_at_once lanes, which counts from 0.
struct chunk_loop {
  llvm::BasicBlock* header;
  llvm::BasicBlock* latch;
  llvm::PHINode* index;
};

/// A loop over lanes without a body: the caller branches from the header.
chunk_loop add_loop(llvm::BasicBlock* before, llvm::BasicBlock* behind, const llvm::Twine& name);

/// Makes copies of blocks refer to each other and, where `copies` has other values, to those.
void remap(const std::vector<llvm::BasicBlock*>& blocks, llvm::ValueToValueMapTy& copies);

}  // namespace warpz::instrument

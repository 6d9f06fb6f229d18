// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/chunk_loop.hpp"

#include "instrument/parallel_lanes.hpp"
#include "llvm/IR/IRBuilder.h"

namespace warpz::instrument {

chunk_loop add_loop(llvm::BasicBlock* before, llvm::BasicBlock* behind, const llvm::Twine& name) {
  llvm::LLVMContext& context = before->getContext();
  auto* const header = llvm::BasicBlock::Create(context, name, before->getParent());
  auto* const latch = llvm::BasicBlock::Create(context, name + ".latch", before->getParent());
  llvm::IRBuilder<>(before).CreateBr(header);
  llvm::IRBuilder<> builder(header);
  llvm::PHINode* const index = builder.CreatePHI(builder.getInt64Ty(), 2, "index");
  builder.SetInsertPoint(latch);
  llvm::Value* const next = builder.CreateNUWAdd(index, builder.getInt64(1));
  mark_lane_loop(*builder.CreateCondBr(builder.CreateICmpULT(next, builder.getInt64(lanes_at_once)), header, behind));
  index->addIncoming(builder.getInt64(0), before);
  index->addIncoming(next, latch);
  return {header, latch, index};
}

void remap(const std::vector<llvm::BasicBlock*>& blocks, llvm::ValueToValueMapTy& copies) {
  for (llvm::BasicBlock* const block : blocks) {
    for (llvm::Instruction& each : *block) {
      llvm::RemapInstruction(&each, copies, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    }
  }
}

}  // namespace warpz::instrument

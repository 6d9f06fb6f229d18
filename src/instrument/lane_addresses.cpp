// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/lane_addresses.hpp"

#include <vector>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {
namespace {

bool is_of_addresses(const llvm::Instruction& each) {
  if (llvm::isa<llvm::GetElementPtrInst, llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(each)) return true;
  switch (each.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::Shl:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return true;
    default:
      return false;
  }
}

}  // namespace

void compute_addresses_first(llvm::BasicBlock& before, llvm::BasicBlock& first) {
  const auto moves_before = [&before](llvm::Instruction& each) {
    const bool is_known = llvm::all_of(each.operands(), [&before](const llvm::Value* value) {
      const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
      return instruction == nullptr || instruction->getParent() == &before || instruction->getParent()->isEntryBlock();
    });
    if (!is_known || !(is_of_addresses(each) || llvm::isa<llvm::CmpInst>(each))) return false;
    each.moveBefore(before, before.getTerminator()->getIterator());
    return true;
  };
  std::vector<llvm::Instruction*> computed;
  for (llvm::Instruction& each : llvm::make_early_inc_range(first)) {
    if (!moves_before(each)) computed.push_back(&each);
  }
  const llvm::DominatorTree tree(*first.getParent());
  const llvm::LoopInfo loops(tree);
  const llvm::Loop* const loop = loops.getLoopFor(&first);
  if (loop == nullptr) return;  // no lane comes to its end
  const auto is_known = [&](const llvm::Value* value) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction == nullptr || instruction->getParent() == &first || !loop->contains(instruction);
  };
  const llvm::ReversePostOrderTraversal<llvm::BasicBlock*> blocks(&first);
  for (llvm::BasicBlock* const block : blocks) {
    if (block == &first || !loop->contains(block)) continue;
    for (llvm::Instruction& each : llvm::make_early_inc_range(*block)) {
      if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&each)) {
        llvm::Value* const only = phi->hasConstantValue();
        if (only == nullptr || !is_known(only)) continue;
        phi->replaceAllUsesWith(only);
        phi->eraseFromParent();
        continue;
      }
      if (moves_before(each) || !is_of_addresses(each) || !llvm::all_of(each.operands(), is_known)) continue;
      const auto same =
          llvm::find_if(computed, [&](const llvm::Instruction* one) { return one->isIdenticalToWhenDefined(&each); });
      if (same != computed.end()) {
        (*same)->andIRFlags(&each);
        each.replaceAllUsesWith(*same);
        each.eraseFromParent();
      } else {
        each.moveBefore(first, first.getTerminator()->getIterator());
        computed.push_back(&each);
      }
    }
  }
}

}  // namespace warpz::instrument

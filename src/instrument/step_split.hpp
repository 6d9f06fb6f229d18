// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts a loop over lanes at a loop of each lane's own.
#pragma once

#include <vector>

#include "instrument/chunk_loop.hpp"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

namespace warpz::instrument {

/// Cuts a loop over lanes in three: what lanes do before the first of their own loops, its rounds, and what comes then.
class step_split {
 public:
  step_split(const chunk_loop& lanes, llvm::Loop& own, const llvm::DominatorTree& tree, const llvm::Loop& all);

  /// The loops over lanes that have taken its place.
  std::vector<chunk_loop> run();

 private:
  using arrays = llvm::MapVector<const llvm::Value*, llvm::AllocaInst*>;

  void find_differing();
  bool differs(const llvm::Instruction& each) const;
  bool is_within(const llvm::Value* value) const {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction != nullptr && all_.contains(instruction);
  }
  bool is_same(const llvm::Value* value) const { return !is_within(value) || differing_.count(value) == 0; }
  bool is_computed(const llvm::Value* value);
  llvm::AllocaInst* array_of(arrays& all, const llvm::Value* value);
  llvm::Value* element(llvm::AllocaInst* array, llvm::Value* lane, llvm::IRBuilder<>& builder);
  llvm::Value* read(arrays& all, const llvm::Value* value, llvm::Value* lane, llvm::IRBuilder<>& builder);
  llvm::Value* supplied(llvm::Value* value, llvm::ValueToValueMapTy& known, llvm::Value* lane,
                        llvm::IRBuilder<>& builder);
  void supply(llvm::Value* used, llvm::ValueToValueMapTy& known, const chunk_loop& in);
  llvm::Value* again(llvm::Value* value, llvm::ValueToValueMapTy& known, llvm::IRBuilder<>& builder);
  llvm::Value* begin_rounds(llvm::BasicBlock* before, llvm::BasicBlock* behind);
  chunk_loop add_rounds(bool is_masked, llvm::BasicBlock* before, llvm::BasicBlock* behind);
  void write_round(const chunk_loop& in, llvm::ValueToValueMapTy& copies);
  void write_masked_round(const chunk_loop& in, llvm::ValueToValueMapTy& copies);
  llvm::BasicBlock* copy_round(const chunk_loop& in, llvm::ValueToValueMapTy& copies, llvm::BasicBlock* left);
  static llvm::Value* copy_of(llvm::Value* value, llvm::ValueToValueMapTy& copies);
  llvm::Value* any_active(llvm::BasicBlock* before, llvm::BasicBlock* behind);
  void end_rounds(llvm::BasicBlock* before, llvm::BasicBlock* behind);
  chunk_loop add_rest(llvm::BasicBlock* before, llvm::BasicBlock* behind);
  void end_first_part();

  llvm::BasicBlock* add_block(const llvm::Twine& name) {
    return llvm::BasicBlock::Create(context_, name, lanes_.header->getParent());
  }

  chunk_loop lanes_;
  llvm::Loop& own_;
  const llvm::Loop& all_;
  llvm::LLVMContext& context_;
  llvm::BasicBlock* entry_;
  llvm::BasicBlock* exit_;
  std::vector<llvm::PHINode*> carried_phis_;  ///< from round to round, each lane's own
  std::vector<llvm::PHINode*> common_phis_;   ///< the same for all lanes
  std::vector<llvm::PHINode*> result_phis_;
  llvm::DenseSet<const llvm::Value*> differing_;  ///< from lane to lane
  llvm::DenseMap<const llvm::Value*, bool> computed_;
  bool all_reach_;             ///< the own loop
  bool same_rounds_;           ///< for all lanes
  llvm::AllocaInst* reached_;  ///< by lane: whether it has
  llvm::AllocaInst* active_;   ///< by lane: whether it has not left it
  arrays kept_;                ///< from the first part for the others
  arrays carried_;
  arrays last_;  ///< what result_phis_ are if this round is the last
  arrays results_;
};

}  // namespace warpz::instrument

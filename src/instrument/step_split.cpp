// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/step_split.hpp"

#include <utility>

#include "instrument/lane_values.hpp"
#include "instrument/parallel_lanes.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace warpz::instrument {
namespace {

void write(llvm::Value* value, llvm::Value* element, llvm::IRBuilder<>& builder) {
  builder.CreateStore(value->getType()->isIntegerTy(1) ? builder.CreateZExt(value, builder.getInt8Ty()) : value,
                      element);
}

}  // namespace

step_split::step_split(const chunk_loop& lanes, llvm::Loop& own, const llvm::DominatorTree& tree, const llvm::Loop& all)
    : lanes_(lanes),
      own_(own),
      all_(all),
      context_(lanes.header->getContext()),
      entry_(own.getLoopPreheader()),
      exit_(own.getUniqueExitBlock()),
      all_reach_(tree.dominates(entry_, lanes.latch)) {
  find_differing();
  for (llvm::PHINode& each : own_.getHeader()->phis()) (is_same(&each) ? common_phis_ : carried_phis_).push_back(&each);
  for (llvm::PHINode& each : exit_->phis()) result_phis_.push_back(&each);
  const auto* const branch = llvm::cast<llvm::BranchInst>(own_.getLoopLatch()->getTerminator());
  same_rounds_ = own_.getExitingBlock() == own_.getLoopLatch() && is_same(branch->getCondition());
  llvm::IRBuilder<> builder(&*lanes.header->getParent()->getEntryBlock().getFirstInsertionPt());
  llvm::Type* const flags = llvm::ArrayType::get(builder.getInt32Ty(), lanes_at_once);
  reached_ = builder.CreateAlloca(flags, nullptr, "reached");
  active_ = builder.CreateAlloca(flags, nullptr, "active");
  mark_array_of_lanes(*reached_);
  mark_array_of_lanes(*active_);
}

/// What is combined from values that are the same for all lanes, and from the number of rounds, is the same.
bool step_split::differs(const llvm::Instruction& each) const {
  const bool counts = llvm::isa<llvm::PHINode>(each) && each.getParent() == own_.getHeader();
  if (!counts && !lane_values::is_pure(each)) return true;
  return llvm::any_of(each.operands(), [this](const llvm::Use& one) { return !is_same(one.get()); });
}

void step_split::find_differing() {
  for (bool changes = true; changes;) {
    changes = false;
    for (const llvm::BasicBlock* const block : all_.blocks()) {
      for (const llvm::Instruction& each : *block) {
        if (differing_.count(&each) == 0 && differs(each)) changes = differing_.insert(&each).second;
      }
    }
  }
}

/// Whether it follows from the lane's number and from what is outside of the loop over lanes.
bool step_split::is_computed(const llvm::Value* value) {
  if (!is_within(value) || value == lanes_.index) return true;
  const auto known = computed_.find(value);
  if (known != computed_.end()) return known->second;
  const auto& instruction = *llvm::cast<llvm::Instruction>(value);
  const bool is_so =
      lane_values::is_pure(instruction) &&
      llvm::all_of(instruction.operands(), [this](const llvm::Use& each) { return is_computed(each.get()); });
  return computed_[value] = is_so;
}

llvm::AllocaInst* step_split::array_of(arrays& all, const llvm::Value* value) {
  llvm::AllocaInst*& array = all[value];
  if (array != nullptr) return array;
  llvm::IRBuilder<> builder(&*lanes_.header->getParent()->getEntryBlock().getFirstInsertionPt());
  llvm::Type* const type = value->getType()->isIntegerTy(1) ? builder.getInt8Ty() : value->getType();
  array = builder.CreateAlloca(llvm::ArrayType::get(type, lanes_at_once), nullptr, value->getName() + ".lanes");
  mark_array_of_lanes(*array);
  return array;
}

llvm::Value* step_split::element(llvm::AllocaInst* array, llvm::Value* lane, llvm::IRBuilder<>& builder) {
  return builder.CreateInBoundsGEP(llvm::cast<llvm::ArrayType>(array->getAllocatedType())->getElementType(), array,
                                   lane);
}

llvm::Value* step_split::read(arrays& all, const llvm::Value* value, llvm::Value* lane, llvm::IRBuilder<>& builder) {
  llvm::AllocaInst* const array = array_of(all, value);
  llvm::Type* const type = llvm::cast<llvm::ArrayType>(array->getAllocatedType())->getElementType();
  llvm::Value* const stored = builder.CreateLoad(type, element(array, lane, builder));
  return type == value->getType() ? stored : builder.CreateTrunc(stored, value->getType());
}

/// A value of the first part, in another one.
llvm::Value* step_split::supplied(llvm::Value* value, llvm::ValueToValueMapTy& known, llvm::Value* lane,
                                  llvm::IRBuilder<>& builder) {
  if (!is_within(value)) return value;
  if (value == lanes_.index) return lane;
  if (llvm::Value* const before = known.lookup(value)) return before;
  llvm::Value* found = nullptr;
  if (is_computed(value)) {
    llvm::Instruction* const copy = llvm::cast<llvm::Instruction>(value)->clone();
    for (llvm::Use& each : copy->operands()) each.set(supplied(each.get(), known, lane, builder));
    copy->dropUBImplyingAttrsAndMetadata();
    found = builder.Insert(copy);
  } else {
    found = read(kept_, value, lane, builder);
  }
  return known[value] = found;
}

/// Makes what a copy uses and does not compute known.
void step_split::supply(llvm::Value* used, llvm::ValueToValueMapTy& known, const chunk_loop& in) {
  if (!is_within(used) || known.count(used) != 0) return;
  llvm::IRBuilder<> builder(in.header);
  known[used] = supplied(used, known, in.index, builder);
}

/// What is the same for all lanes, once for all of them.
llvm::Value* step_split::again(llvm::Value* value, llvm::ValueToValueMapTy& known, llvm::IRBuilder<>& builder) {
  if (!is_within(value)) return value;
  if (llvm::Value* const before = known.lookup(value)) return before;
  llvm::Instruction* const copy = llvm::cast<llvm::Instruction>(value)->clone();
  for (llvm::Use& each : copy->operands()) each.set(again(each.get(), known, builder));
  copy->dropUBImplyingAttrsAndMetadata();
  return known[value] = builder.Insert(copy);
}

/// Sets what rounds carry. Returns whether all lanes have reached the loop.
llvm::Value* step_split::begin_rounds(llvm::BasicBlock* before, llvm::BasicBlock* behind) {
  const chunk_loop begin = add_loop(before, behind, "step.begin");
  llvm::IRBuilder<> builder(begin.header);
  llvm::ValueToValueMapTy known;
  llvm::PHINode* so_far = nullptr;
  llvm::Value* all = builder.getTrue();
  llvm::Value* flag = builder.getInt32(1);
  if (!all_reach_) {
    so_far = builder.CreatePHI(builder.getInt32Ty(), 2, "all");
    flag = builder.CreateLoad(builder.getInt32Ty(), element(reached_, begin.index, builder));
    llvm::Value* const next = builder.CreateAnd(so_far, flag);
    so_far->addIncoming(builder.getInt32(1), before);
    so_far->addIncoming(next, begin.latch);
    llvm::IRBuilder<> at_end(behind);
    all = at_end.CreateICmpNE(next, at_end.getInt32(0));
  }
  builder.CreateStore(flag, element(active_, begin.index, builder));
  for (llvm::PHINode* const each : carried_phis_) {
    write(supplied(each->getIncomingValueForBlock(entry_), known, begin.index, builder),
          element(array_of(carried_, each), begin.index, builder), builder);
  }
  builder.CreateBr(begin.latch);
  return all;
}

/// One round of all lanes, or of those that are active, until none of them goes on.
chunk_loop step_split::add_rounds(bool is_masked, llvm::BasicBlock* before, llvm::BasicBlock* behind) {
  llvm::BasicBlock* const round = add_block("step.round");
  llvm::BasicBlock* const decision = add_block("step.next");
  llvm::BasicBlock* const counted = is_masked ? add_block("step.count") : decision;
  llvm::ValueToValueMapTy copies, known_before;
  llvm::IRBuilder<> builder(before);
  std::vector<llvm::PHINode*> common;
  for (llvm::PHINode* const each : common_phis_) {
    llvm::Value* const first = again(each->getIncomingValueForBlock(entry_), known_before, builder);
    common.push_back(llvm::PHINode::Create(each->getType(), 2, each->getName(), round));
    common.back()->addIncoming(first, before);
    copies[each] = common.back();
  }
  builder.CreateBr(round);
  llvm::ValueToValueMapTy known;
  for (std::size_t i = 0; i < common.size(); ++i) known[common_phis_[i]] = common[i];
  const chunk_loop lanes = add_loop(round, counted, "step.lane");
  if (is_masked) {
    write_masked_round(lanes, copies);
  } else {
    write_round(lanes, copies);
  }
  llvm::Value* more = is_masked ? any_active(counted, decision) : nullptr;
  builder.SetInsertPoint(decision);
  for (std::size_t i = 0; i < common.size(); ++i) {
    llvm::Value* const next = common_phis_[i]->getIncomingValueForBlock(own_.getLoopLatch());
    common[i]->addIncoming(again(next, known, builder), decision);
  }
  if (is_masked) {
    builder.CreateCondBr(more, round, behind);
  } else {
    const auto* const branch = llvm::cast<llvm::BranchInst>(own_.getLoopLatch()->getTerminator());
    more = again(branch->getCondition(), known, builder);
    const bool goes_on_if = branch->getSuccessor(0) == own_.getHeader();
    builder.CreateCondBr(more, goes_on_if ? round : behind, goes_on_if ? behind : round);
  }
  return lanes;
}

/// Copies a round's blocks, which leave to `left`. Returns the first of them.
llvm::BasicBlock* step_split::copy_round(const chunk_loop& in, llvm::ValueToValueMapTy& copies,
                                         llvm::BasicBlock* left) {
  for (llvm::BasicBlock* const block : own_.blocks()) {
    for (llvm::Instruction& each : *block) {
      for (const llvm::Use& used : each.operands()) {
        const auto* const value = llvm::dyn_cast<llvm::Instruction>(used.get());
        const bool is_first = llvm::isa<llvm::PHINode>(each) && block == own_.getHeader();
        if (value != nullptr && !is_first && !own_.contains(value)) supply(used.get(), copies, in);
      }
    }
  }
  const auto supply_next = [&](llvm::PHINode& phi) {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const auto* const value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(i));
      if (phi.getIncomingBlock(i) != entry_ && value != nullptr && !own_.contains(value))
        supply(phi.getIncomingValue(i), copies, in);
    }
  };
  for (llvm::PHINode* const each : carried_phis_) supply_next(*each);
  for (llvm::PHINode* const each : result_phis_) supply_next(*each);
  std::vector<std::pair<llvm::PHINode*, llvm::Value*>> begun;
  for (llvm::PHINode* const each : common_phis_) begun.emplace_back(each, copies[each]);
  for (llvm::PHINode* const each : carried_phis_) {
    llvm::IRBuilder<> builder(in.header);
    begun.emplace_back(each, read(carried_, each, in.index, builder));
  }
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock* const block : own_.blocks()) {
    blocks.push_back(llvm::CloneBasicBlock(block, copies, ".step", lanes_.header->getParent()));
    copies[block] = blocks.back();
  }
  auto* const first = llvm::cast<llvm::BasicBlock>(copies[own_.getHeader()]);
  for (const auto& [phi, value] : begun) {
    llvm::cast<llvm::Instruction>(copies[phi])->eraseFromParent();
    copies[phi] = value;
  }
  copies[exit_] = left;
  remap(blocks, copies);
  return first;
}

llvm::Value* step_split::copy_of(llvm::Value* value, llvm::ValueToValueMapTy& copies) {
  llvm::Value* const copy = copies.lookup(value);
  return copy != nullptr ? copy : value;
}

void step_split::write_round(const chunk_loop& in, llvm::ValueToValueMapTy& copies) {
  llvm::BasicBlock* const first = copy_round(in, copies, in.latch);
  llvm::IRBuilder<>(in.header).CreateBr(first);
  llvm::BasicBlock* const end = own_.getLoopLatch();
  llvm::Instruction* const branch = llvm::cast<llvm::BasicBlock>(copies[end])->getTerminator();
  llvm::IRBuilder<> builder(branch);
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  for (llvm::PHINode* const each : carried_phis_) {
    write(copy_of(each->getIncomingValueForBlock(end), copies), element(array_of(carried_, each), in.index, builder),
          builder);
  }
  for (llvm::PHINode* const each : result_phis_) {
    write(copy_of(each->getIncomingValueForBlock(end), copies), element(array_of(last_, each), in.index, builder),
          builder);
  }
  builder.CreateBr(in.latch);
  branch->eraseFromParent();
}

void step_split::write_masked_round(const chunk_loop& in, llvm::ValueToValueMapTy& copies) {
  llvm::BasicBlock* const stays = add_block("step.stays");
  llvm::BasicBlock* const left = add_block("step.left");
  llvm::BasicBlock* const join = add_block("step.join");
  llvm::BasicBlock* const first = copy_round(in, copies, left);
  llvm::BasicBlock* const end = own_.getLoopLatch();
  llvm::cast<llvm::BasicBlock>(copies[end])->getTerminator()->replaceSuccessorWith(first, stays);
  llvm::IRBuilder<> head(in.header), at_left(left), at_join(join);
  llvm::Value* const active =
      head.CreateICmpNE(head.CreateLoad(head.getInt32Ty(), element(active_, in.index, head)), head.getInt32(0));
  struct change {
    llvm::Value* element;
    llvm::Value* idle;
    llvm::Value* stays;
    llvm::Value* left;
  };
  std::vector<change> changes{{element(active_, in.index, head), head.getInt32(0), head.getInt32(1), head.getInt32(0)}};
  for (llvm::PHINode* const each : carried_phis_) {
    llvm::AllocaInst* const array = array_of(carried_, each);
    changes.push_back({element(array, in.index, head), copies[each],
                       copy_of(each->getIncomingValueForBlock(end), copies), copies[each]});
  }
  for (llvm::PHINode* const each : result_phis_) {
    llvm::PHINode* const copy = at_left.CreatePHI(each->getType(), each->getNumIncomingValues());
    for (unsigned i = 0; i < each->getNumIncomingValues(); ++i) {
      copy->addIncoming(copy_of(each->getIncomingValue(i), copies),
                        llvm::cast<llvm::BasicBlock>(copies[each->getIncomingBlock(i)]));
    }
    llvm::Value* const before = read(last_, each, in.index, head);
    changes.push_back({element(array_of(last_, each), in.index, head), before, before, copy});
  }
  head.CreateCondBr(active, first, join);
  llvm::IRBuilder<>(stays).CreateBr(join);
  at_left.CreateBr(join);
  std::vector<llvm::PHINode*> values;
  for (const change& each : changes) {
    values.push_back(at_join.CreatePHI(each.idle->getType(), 3));
    values.back()->addIncoming(each.idle, in.header);
    values.back()->addIncoming(each.stays, stays);
    values.back()->addIncoming(each.left, left);
  }
  for (std::size_t i = 0; i < changes.size(); ++i) write(values[i], changes[i].element, at_join);
  at_join.CreateBr(in.latch);
}

llvm::Value* step_split::any_active(llvm::BasicBlock* before, llvm::BasicBlock* behind) {
  const chunk_loop count = add_loop(before, behind, "step.active");
  llvm::IRBuilder<> builder(count.header);
  llvm::PHINode* const so_far = builder.CreatePHI(builder.getInt32Ty(), 2, "any");
  llvm::Value* const next =
      builder.CreateOr(so_far, builder.CreateLoad(builder.getInt32Ty(), element(active_, count.index, builder)));
  so_far->addIncoming(builder.getInt32(0), before);
  so_far->addIncoming(next, count.latch);
  builder.CreateBr(count.latch);
  llvm::IRBuilder<> at_end(behind);
  return at_end.CreateICmpNE(next, at_end.getInt32(0));
}

/// The rounds' arrays are read and written by vectors alone, so that these can stay in registers.
void step_split::end_rounds(llvm::BasicBlock* before, llvm::BasicBlock* behind) {
  const chunk_loop end = add_loop(before, behind, "step.end");
  llvm::IRBuilder<> builder(end.header);
  for (llvm::PHINode* const each : result_phis_) {
    write(read(last_, each, end.index, builder), element(array_of(results_, each), end.index, builder), builder);
  }
  builder.CreateBr(end.latch);
}

/// What comes behind the own loop, for the lanes that have reached it.
chunk_loop step_split::add_rest(llvm::BasicBlock* before, llvm::BasicBlock* behind) {
  const chunk_loop rest = add_loop(before, behind, "step.rest");
  llvm::SmallSetVector<llvm::BasicBlock*, 16> originals;
  originals.insert(exit_);
  for (std::size_t i = 0; i < originals.size(); ++i) {
    for (llvm::BasicBlock* const each : llvm::successors(originals[i])) {
      if (each != lanes_.latch) originals.insert(each);
    }
  }
  llvm::ValueToValueMapTy copies;
  const auto supply_first = [&](llvm::Value* used) {
    auto* const value = llvm::dyn_cast<llvm::Instruction>(used);
    if (value != nullptr && !originals.contains(value->getParent())) supply(used, copies, rest);
  };
  for (llvm::BasicBlock* const block : originals) {
    for (llvm::Instruction& each : *block) {
      if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&each)) {
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
          if (originals.contains(phi->getIncomingBlock(i))) supply_first(phi->getIncomingValue(i));
        }
        continue;
      }
      for (const llvm::Use& used : each.operands()) supply_first(used.get());
    }
  }
  llvm::IRBuilder<> builder(rest.header);
  std::vector<llvm::Value*> results;
  for (llvm::PHINode* const each : result_phis_) results.push_back(read(results_, each, rest.index, builder));
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock* const block : originals) {
    blocks.push_back(llvm::CloneBasicBlock(block, copies, ".rest", lanes_.header->getParent()));
    copies[block] = blocks.back();
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    llvm::cast<llvm::Instruction>(copies[result_phis_[i]])->eraseFromParent();
    copies[result_phis_[i]] = results[i];
  }
  for (std::size_t i = 0; i < originals.size(); ++i) {
    for (llvm::PHINode& each : llvm::make_early_inc_range(blocks[i]->phis())) {
      each.removeIncomingValueIf([&](unsigned number) { return !originals.contains(each.getIncomingBlock(number)); },
                                 false);
    }
  }
  copies[lanes_.latch] = rest.latch;
  remap(blocks, copies);
  if (all_reach_) {
    builder.CreateBr(blocks.front());
  } else {
    llvm::Value* const flag = builder.CreateLoad(builder.getInt32Ty(), element(reached_, rest.index, builder));
    builder.CreateCondBr(builder.CreateICmpNE(flag, builder.getInt32(0)), blocks.front(), rest.latch);
  }
  return rest;
}

/// Lanes end the first part where they reach the own loop.
void step_split::end_first_part() {
  llvm::BasicBlock* const end = add_block("step.reached");
  entry_->getTerminator()->replaceSuccessorWith(own_.getHeader(), end);
  llvm::IRBuilder<> builder(end);
  for (const auto& [value, array] : kept_)
    write(const_cast<llvm::Value*>(value), element(array, lanes_.index, builder), builder);
  if (!all_reach_) {
    builder.CreateStore(builder.getInt32(1), element(reached_, lanes_.index, builder));
    llvm::IRBuilder<> at_begin(lanes_.header, lanes_.header->getFirstInsertionPt());
    at_begin.SetCurrentDebugLocation(llvm::DebugLoc());
    at_begin.CreateStore(at_begin.getInt32(0), element(reached_, lanes_.index, at_begin));
  }
  builder.CreateBr(lanes_.latch);
}

std::vector<chunk_loop> step_split::run() {
  llvm::BasicBlock* const behind = lanes_.latch->getTerminator()->getSuccessor(1);
  llvm::BasicBlock *const begin = add_block("step"), *const begun = add_block("step.begun"),
                          *const end = add_block("step.ended"), *const rest = add_block("step.result");
  std::vector<chunk_loop> parts{lanes_};
  llvm::Value* const all = begin_rounds(begin, begun);
  llvm::IRBuilder<> builder(begun);
  if (all_reach_ && same_rounds_) {
    parts.push_back(add_rounds(false, begun, end));
  } else if (same_rounds_) {
    llvm::BasicBlock *const together = add_block("step.all"), *const masked = add_block("step.some");
    builder.CreateCondBr(all, together, masked);
    parts.push_back(add_rounds(false, together, end));
    parts.push_back(add_rounds(true, masked, end));
  } else {
    parts.push_back(add_rounds(true, begun, end));
  }
  end_rounds(end, rest);
  parts.push_back(add_rest(rest, behind));
  end_first_part();
  lanes_.latch->getTerminator()->setSuccessor(1, begin);
  return parts;
}

}  // namespace warpz::instrument

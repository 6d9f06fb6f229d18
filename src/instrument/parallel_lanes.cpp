// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/parallel_lanes.hpp"

#include <utility>
#include <vector>

#include "instrument/lane_stride.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warpz::instrument {
namespace {

constexpr llvm::StringLiteral of_lanes = "warpz.lanes";

void mark(llvm::Instruction& each) { each.setMetadata(of_lanes, llvm::MDNode::get(each.getContext(), {})); }

/// Atomics keep their order, and who knows what a call does.
bool is_plain(const llvm::Instruction& each) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&each)) return load->isSimple();
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&each)) return store->isSimple();
  return !each.mayReadOrWriteMemory() || llvm::isa<llvm::AssumeInst, llvm::NoAliasScopeDeclInst>(each);
}

llvm::Metadata* vectorization(bool enabled, llvm::LLVMContext& context) {
  llvm::Constant* const value = llvm::ConstantInt::getBool(context, enabled);
  return llvm::MDNode::get(
      context, {llvm::MDString::get(context, "llvm.loop.vectorize.enable"), llvm::ConstantAsMetadata::get(value)});
}

llvm::MDNode* loop_name(std::vector<llvm::Metadata*> properties, llvm::LLVMContext& context) {
  properties.insert(properties.begin(), nullptr);
  llvm::MDNode* const name = llvm::MDNode::getDistinct(context, properties);
  name->replaceOperandWith(0, name);
  return name;
}

void declare_parallel(const llvm::Loop& loop, const llvm::DominatorTree& tree) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  llvm::MDNode* const group = llvm::MDNode::getDistinct(context, {});
  for (const llvm::BasicBlock* const block : loop.blocks()) {
    if (!llvm::all_of(*block, is_plain)) return;
  }
  for (llvm::BasicBlock* const block : loop.blocks()) {
    for (llvm::Instruction& each : *block) {
      if (!each.mayReadOrWriteMemory()) continue;
      llvm::MDNode* const known = each.getMetadata(llvm::LLVMContext::MD_access_group);
      each.setMetadata(llvm::LLVMContext::MD_access_group, llvm::uniteAccessGroups(known, group));
    }
  }
  std::vector<llvm::Metadata*> properties{
      llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group})};
  if (suits_vectors(loop, &*loop.getHeader()->begin(), loop, tree)) properties.push_back(vectorization(true, context));
  loop.setLoopID(loop_name(std::move(properties), context));
}

}  // namespace

void mark_lane_loop(llvm::Instruction& branch) { mark(branch); }

void mark_as_rest(llvm::Instruction& branch) {
  branch.setMetadata(of_lanes, nullptr);
  branch.setMetadata(llvm::LLVMContext::MD_loop,
                     loop_name({vectorization(false, branch.getContext())}, branch.getContext()));
}

void mark_array_of_lanes(llvm::Instruction& variable) { mark(variable); }

bool shares_variables(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& each) {
    return llvm::isa<llvm::AllocaInst>(each) && each.getMetadata(of_lanes) == nullptr;
  });
}

void declare_lanes_parallel(llvm::Function& function) {
  if (shares_variables(function)) return;
  const llvm::DominatorTree tree(function);
  const llvm::LoopInfo loops(tree);
  for (const llvm::Loop* const each : loops.getLoopsInPreorder()) {
    const llvm::BasicBlock* const latch = each->getLoopLatch();
    if (each->isInnermost() && latch != nullptr && latch->getTerminator()->getMetadata(of_lanes) != nullptr)
      declare_parallel(*each, tree);
  }
}

}  // namespace warpz::instrument

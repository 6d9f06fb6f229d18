// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/step_loops.hpp"

#include <cstddef>
#include <vector>

#include "instrument/chunk_loop.hpp"
#include "instrument/lane_stride.hpp"
#include "instrument/parallel_lanes.hpp"
#include "instrument/step_split.hpp"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace warpz::instrument {
namespace {

constexpr std::size_t max_loops = 6;
constexpr std::size_t max_instructions = 300;

/// What the vectoriser takes, without a call for each lane.
bool is_vectorised(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
      return true;
    default:
      return false;
  }
}

/// Whether lanes may take the instruction in any order.
bool is_in_any_order(const llvm::Instruction& each) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&each)) return load->isSimple();
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&each)) return store->isSimple();
  if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&each)) return is_vectorised(*call);
  return !llvm::isa<llvm::CallBase, llvm::AllocaInst>(each) && !each.mayWriteToMemory() && !each.mayThrow() &&
         !each.getType()->isAggregateType() && !each.getType()->isVectorTy();
}

bool is_in_any_order(const llvm::Loop& loop) {
  std::size_t count = 0;
  for (const llvm::BasicBlock* const block : loop.blocks()) {
    if (!llvm::isa<llvm::BranchInst>(block->getTerminator())) return false;
    for (const llvm::Instruction& each : *block) {
      if (!is_in_any_order(each) || ++count > max_instructions) return false;
    }
  }
  return true;
}

bool can_be_in_step(const llvm::Loop& loop) {
  return loop.getLoopPreheader() != nullptr && loop.getLoopLatch() != nullptr && loop.getUniqueExitBlock() != nullptr &&
         loop.hasDedicatedExits() && is_in_any_order(loop);
}

/// A copy of the loop over lanes for as many at once as there are, and the loop itself for those that are left.
chunk_loop add_chunks(const lane_loop& lanes, const llvm::Loop& loop) {
  llvm::LLVMContext& context = lanes.header->getContext();
  llvm::Function* const function = lanes.header->getParent();
  auto* const more = llvm::BasicBlock::Create(context, "chunk", function);
  auto* const begin = llvm::BasicBlock::Create(context, "chunk.begin", function);
  auto* const end = llvm::BasicBlock::Create(context, "chunk.end", function);
  auto* const left = llvm::BasicBlock::Create(context, "chunk.left", function);
  llvm::IRBuilder<> builder(more);
  llvm::PHINode* const base = builder.CreatePHI(lanes.lane->getType(), 2, "base");
  llvm::Value* const size = builder.getInt64(lanes_at_once);
  builder.CreateCondBr(builder.CreateICmpUGE(builder.CreateSub(lanes.end, base), size), begin, left);
  builder.SetInsertPoint(end);
  base->addIncoming(lanes.first, lanes.before);
  base->addIncoming(builder.CreateNUWAdd(base, size), end);
  builder.CreateBr(more);
  lanes.before->getTerminator()->replaceSuccessorWith(lanes.header, more);
  builder.SetInsertPoint(left);
  builder.CreateCondBr(builder.CreateICmpEQ(base, lanes.end), lanes.behind, lanes.header);

  const chunk_loop chunk = add_loop(begin, end, "chunk.lane");
  builder.SetInsertPoint(chunk.header);
  llvm::ValueToValueMapTy copies;
  llvm::Value* const lane = builder.CreateAdd(base, chunk.index, "lane", true, true);
  std::vector<llvm::BasicBlock*> blocks;
  for (llvm::BasicBlock* const block : loop.blocks()) {
    if (block == lanes.latch) continue;
    blocks.push_back(llvm::CloneBasicBlock(block, copies, ".chunk", function));
    copies[block] = blocks.back();
  }
  llvm::cast<llvm::Instruction>(copies[lanes.lane])->eraseFromParent();
  copies[lanes.lane] = lane;
  copies[lanes.latch] = chunk.latch;
  builder.CreateBr(llvm::cast<llvm::BasicBlock>(copies[lanes.header]));
  remap(blocks, copies);
  lanes.lane->setIncomingValueForBlock(lanes.before, base);
  lanes.lane->replaceIncomingBlockWith(lanes.before, left);
  mark_as_rest(*lanes.latch->getTerminator());
  return chunk;
}

/// The loops of a lane's own within a loop over lanes.
std::vector<llvm::Loop*> own_loops(llvm::LoopInfo& loops, const llvm::BasicBlock* header) {
  std::vector<llvm::Loop*> found;
  const llvm::Loop* const all = loops.getLoopFor(header);
  for (llvm::Loop* const each : loops.getLoopsInPreorder()) {
    if (all == nullptr || (each != all && all->contains(each))) found.push_back(each);
  }
  return found;
}

/// Whether there is a way back that is no loop, as it can be entered at several blocks.
bool has_other_cycle(const llvm::Loop& all, const llvm::LoopInfo& loops) {
  llvm::LoopBlocksRPO order(const_cast<llvm::Loop*>(&all));
  order.perform(&loops);
  return llvm::containsIrreducibleCFG<const llvm::BasicBlock*>(order, loops);
}

/// Adds the parts that it has been cut into, if it has had a loop of a lane's own.
void split_first(const chunk_loop& lanes, std::vector<chunk_loop>& parts) {
  const llvm::DominatorTree tree(*lanes.header->getParent());
  llvm::LoopInfo loops(tree);
  const std::vector<llvm::Loop*> own = own_loops(loops, lanes.header);
  if (own.empty()) return;
  const std::vector<chunk_loop> more = step_split(lanes, *own.front(), tree, *loops.getLoopFor(lanes.header)).run();
  parts.insert(parts.end(), more.begin(), more.end());
}

}  // namespace

bool run_in_step(const lane_loop& lanes) {
  llvm::Function& function = *lanes.header->getParent();
  {
    llvm::DominatorTree tree(function);
    llvm::LoopInfo loops(tree);
    const std::vector<llvm::Loop*> first_own = own_loops(loops, lanes.header);
    const llvm::Loop* const all = loops.getLoopFor(lanes.header);
    const bool shares = shares_variables(function);
    if (first_own.empty() && (all == nullptr || shares || !is_in_any_order(*all))) return true;
    if (all == nullptr) return false;  // no lane comes to its end
    if (first_own.size() > max_loops || shares || has_other_cycle(*all, loops)) return false;
    for (llvm::Loop* const each : first_own) llvm::simplifyLoop(each, &tree, &loops, nullptr, nullptr, nullptr, false);
    // A loop with two ways back may have become two.
    for (llvm::Loop* const each : own_loops(loops, lanes.header)) {
      llvm::formLCSSARecursively(*each, tree, &loops, nullptr);
      if (!can_be_in_step(*each) || !suits_vectors(*all, lanes.lane, *each, tree)) return false;
    }
  }
  const llvm::DominatorTree tree(function);
  const llvm::LoopInfo loops(tree);
  std::vector<chunk_loop> parts{add_chunks(lanes, *loops.getLoopFor(lanes.header))};
  while (!parts.empty()) {
    const chunk_loop next = parts.back();
    parts.pop_back();
    split_first(next, parts);
    llvm::EliminateUnreachableBlocks(function);
  }
  return true;
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which a lane may wait for others: those that look at memory by atomics or volatile accesses, themselves or
// in what they call. They tell the machine when a lane begins, goes round, leaves and passes them by. Seen before
// anything is optimized: Clang moves code out of loops, and on a GPU it would not.
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "instrument/passes.hpp"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace warpz::instrument {
namespace {

using functions = std::set<const llvm::Function*>;

bool looks_at_others(const llvm::Instruction& each, const functions& looking) {
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
  return each.isAtomic() || each.isVolatile() || (call != nullptr && looking.count(call->getCalledFunction()) != 0);
}

functions looking_functions(llvm::Module& module) {
  functions found;
  for (std::size_t before = ~std::size_t{0}; before != found.size();) {
    before = found.size();
    for (llvm::Function& function : module) {
      if (llvm::any_of(llvm::instructions(function),
                       [&](const llvm::Instruction& each) { return looks_at_others(each, found); }))
        found.insert(&function);
    }
  }
  return found;
}

struct waiting_loop {
  llvm::BasicBlock* before;
  llvm::BasicBlock* header;
  llvm::SmallVector<llvm::Loop::Edge> exits;
  llvm::SmallVector<llvm::Loop::Edge> ways_past;  ///< a lane that goes there does not come to the loop in this round
};

/// The edges to blocks that no longer lead to the loop, in the same round of the loop around it.
llvm::SmallVector<llvm::Loop::Edge> ways_past(const llvm::Loop& loop, llvm::Function& function) {
  const llvm::Loop* const around = loop.getParentLoop();
  const auto goes_round = [&](const llvm::BasicBlock* block) {
    return around != nullptr && block == around->getHeader();
  };
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> leading;
  llvm::SmallVector<const llvm::BasicBlock*> open{loop.getHeader()};
  while (!open.empty()) {
    const llvm::BasicBlock* const block = open.pop_back_val();
    if (!leading.insert(block).second || goes_round(block)) continue;
    for (const llvm::BasicBlock* const before : llvm::predecessors(block)) {
      if (!loop.contains(before) && (around == nullptr || around->contains(before))) open.push_back(before);
    }
  }
  llvm::SmallVector<llvm::Loop::Edge> found;
  for (llvm::BasicBlock& block : function) {
    if (loop.contains(&block) || leading.count(&block) == 0) continue;
    for (llvm::BasicBlock* const next : llvm::successors(&block)) {
      if (leading.count(next) == 0 || goes_round(next)) found.emplace_back(&block, next);
    }
  }
  return found;
}

/// The inner ones first, as a lane that leaves several leaves those first.
std::vector<waiting_loop> waiting_loops_in(llvm::Function& function, const functions& looking) {
  std::vector<waiting_loop> found;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  const auto all = loops.getLoopsInPreorder();
  for (const llvm::Loop* const each : llvm::reverse(all)) {
    const bool looks = llvm::any_of(each->blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const llvm::Instruction& one) { return looks_at_others(one, looking); });
    });
    llvm::BasicBlock* const before = each->getLoopPredecessor();
    if (!looks || before == nullptr || before->getSingleSuccessor() == nullptr) continue;
    waiting_loop& loop = found.emplace_back(waiting_loop{before, each->getHeader(), {}, ways_past(*each, function)});
    each->getExitEdges(loop.exits);
  }
  return found;
}

void call(llvm::Instruction& before, llvm::StringRef name, std::uint64_t loop) {
  llvm::IRBuilder<> builder(&before);
  llvm::FunctionCallee callback =
      before.getModule()->getOrInsertFunction(name, builder.getVoidTy(), builder.getInt64Ty());
  llvm::cast<llvm::Function>(callback.getCallee())->setDoesNotThrow();
  builder.CreateCall(callback, builder.getInt64(loop));
}

/// Places on the ways from block to block, which are split for them once: several loops may be left by one way.
class split_edges {
 public:
  /// Code that goes before the instruction runs on the `number`th edge between these blocks, after what was put there
  /// earlier.
  llvm::Instruction& place_on(const llvm::Loop::Edge& edge, unsigned number) {
    llvm::Instruction*& place = places_[{edge.first, edge.second, number}];
    if (place == nullptr) {
      auto* const from = const_cast<llvm::BasicBlock*>(edge.first);
      place = &llvm::SplitEdge(from, const_cast<llvm::BasicBlock*>(edge.second))->front();
    }
    return *place;
  }

 private:
  std::map<std::tuple<const llvm::BasicBlock*, const llvm::BasicBlock*, unsigned>, llvm::Instruction*> places_;
};

}  // namespace

void mark_waiting_loops(llvm::Module& module) {
  const functions looking = looking_functions(module);
  // No two loops of a program should have one number.
  std::uint64_t number = llvm::hash_value(module.getSourceFileName()) << 16;
  for (llvm::Function& function : module) {
    if (looking.count(&function) == 0) continue;
    split_edges places;
    for (const waiting_loop& each : waiting_loops_in(function, looking)) {
      ++number;
      call(*each.before->getTerminator(), "simt_enter_loop", number);
      call(*each.header->getFirstInsertionPt(), "simt_repeat_loop", number);
      // A switch may have several edges to one block.
      std::map<llvm::Loop::Edge, unsigned> edges;
      for (const llvm::Loop::Edge& exit : each.exits) {
        call(places.place_on(exit, edges[exit]++), "simt_leave_loop", number);
      }
      for (const llvm::Loop::Edge& past : each.ways_past) {
        call(places.place_on(past, edges[past]++), "simt_pass_loop", number);
      }
    }
  }
}

}  // namespace warpz::instrument

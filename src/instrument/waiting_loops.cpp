// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which a lane may wait for others: those that look at memory by atomics or volatile accesses, themselves or
// in what they call. They tell the machine when a lane begins, goes round, leaves and passes them by. So do calls of
// functions that have such loops, as loops of one round, where some lanes pass the call by. Seen before anything is
// optimized: Clang moves code out of loops, and on a GPU it would not.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
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

using edges = llvm::SmallVector<llvm::Loop::Edge>;

/// A loop in which lanes may wait, or a call of a function that has some.
struct waiting_place {
  unsigned depth;  ///< how many loops there are around what is in it
  llvm::Instruction* begin;
  llvm::BasicBlock* header;  ///< null: a call
  edges exits;
  edges ways_past;  ///< a lane that goes there does not come to the place in this round
};

/// The edges to blocks that no longer lead to the place, in the same round of the loop around it.
edges ways_past(const llvm::BasicBlock& header, llvm::function_ref<bool(const llvm::BasicBlock*)> contains,
                const llvm::Loop* around, llvm::Function& function) {
  const auto goes_round = [&](const llvm::BasicBlock* block) {
    return around != nullptr && block == around->getHeader();
  };
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> leading;
  llvm::SmallVector<const llvm::BasicBlock*> open{&header};
  while (!open.empty()) {
    const llvm::BasicBlock* const block = open.pop_back_val();
    if (!leading.insert(block).second || goes_round(block)) continue;
    for (const llvm::BasicBlock* const before : llvm::predecessors(block)) {
      if (!contains(before) && (around == nullptr || around->contains(before))) open.push_back(before);
    }
  }
  edges found;
  for (llvm::BasicBlock& block : function) {
    if (contains(&block) || leading.count(&block) == 0) continue;
    for (llvm::BasicBlock* const next : llvm::successors(&block)) {
      if (leading.count(next) == 0 || goes_round(next)) found.emplace_back(&block, next);
    }
  }
  return found;
}

class loops_of_function {
 public:
  explicit loops_of_function(llvm::Function& function)
      : function_(function), dominators_(function), loops_(dominators_) {}

  bool any_looks(const functions& looking) const {
    return llvm::any_of(loops_.getLoopsInPreorder(), [&](const llvm::Loop* each) { return looks(*each, looking); });
  }

  std::vector<waiting_place> waiting_places(const functions& looking, const functions& waiting) {
    std::vector<waiting_place> found;
    for (const llvm::Loop* const each : loops_.getLoopsInPreorder()) {
      llvm::BasicBlock* const before = each->getLoopPredecessor();
      if (!looks(*each, looking) || before == nullptr || before->getSingleSuccessor() == nullptr) continue;
      const auto contains = [each](const llvm::BasicBlock* block) { return each->contains(block); };
      waiting_place& loop =
          found.emplace_back(waiting_place{each->getLoopDepth(),
                                           before->getTerminator(),
                                           each->getHeader(),
                                           {},
                                           ways_past(*each->getHeader(), contains, each->getParentLoop(), function_)});
      each->getExitEdges(loop.exits);
    }
    for (llvm::Instruction& each : llvm::instructions(function_)) {
      const auto* const call = llvm::dyn_cast<llvm::CallInst>(&each);
      if (call == nullptr || waiting.count(call->getCalledFunction()) == 0) continue;
      const llvm::BasicBlock* const block = each.getParent();
      const auto contains = [block](const llvm::BasicBlock* other) { return other == block; };
      edges past = ways_past(*block, contains, loops_.getLoopFor(block), function_);
      if (!past.empty()) found.push_back({loops_.getLoopDepth(block) + 1, &each, nullptr, {}, std::move(past)});
    }
    return found;
  }

 private:
  static bool looks(const llvm::Loop& loop, const functions& looking) {
    return llvm::any_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [&](const llvm::Instruction& one) { return looks_at_others(one, looking); });
    });
  }

  llvm::Function& function_;
  const llvm::DominatorTree dominators_;
  const llvm::LoopInfo loops_;
};

/// Those with a loop that looks, and those that call them.
functions waiting_functions(llvm::Module& module, const functions& looking) {
  functions found;
  for (llvm::Function& function : module) {
    if (looking.count(&function) != 0 && !function.isDeclaration() && loops_of_function(function).any_looks(looking))
      found.insert(&function);
  }
  for (std::size_t before = 0; before != found.size();) {
    before = found.size();
    for (llvm::Function& function : module) {
      const auto waits = [&](const llvm::Instruction& each) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
        return call != nullptr && found.count(call->getCalledFunction()) != 0;
      };
      if (llvm::any_of(llvm::instructions(function), waits)) found.insert(&function);
    }
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
  const functions looking = looking_functions(module), waiting = waiting_functions(module, looking);
  // No two loops of a program should have one number.
  std::uint64_t number = llvm::hash_value(module.getSourceFileName()) << 16;
  for (llvm::Function& function : module) {
    if (looking.count(&function) == 0 || function.isDeclaration()) continue;
    std::vector<waiting_place> found = loops_of_function(function).waiting_places(looking, waiting);
    // A lane that leaves several leaves the inner ones first, and goes past what stands beside them then.
    llvm::stable_sort(found,
                      [](const waiting_place& one, const waiting_place& other) { return one.depth > other.depth; });
    split_edges places;
    const auto mark = [&](const edges& all, llvm::StringRef name, std::uint64_t place) {
      // A switch may have several edges to one block.
      std::map<llvm::Loop::Edge, unsigned> counts;
      for (const llvm::Loop::Edge& each : all) call(places.place_on(each, counts[each]++), name, place);
    };
    for (auto begin = found.begin(); begin != found.end();) {
      const auto end = std::find_if(begin, found.end(), [&](const auto& each) { return each.depth != begin->depth; });
      const std::uint64_t first = number + 1;
      for (auto each = begin; each != end; ++each) {
        call(*each->begin, "simt_enter_loop", ++number);
        if (each->header == nullptr) {
          call(*each->begin->getNextNode(), "simt_leave_loop", number);
        } else {
          call(*each->header->getFirstInsertionPt(), "simt_repeat_loop", number);
        }
        mark(each->exits, "simt_leave_loop", number);
      }
      for (auto each = begin; each != end; ++each)
        mark(each->ways_past, "simt_pass_loop", first + static_cast<std::uint64_t>(each - begin));
      begin = end;
    }
  }
}

}  // namespace warpz::instrument

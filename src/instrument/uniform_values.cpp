// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/uniform_values.hpp"

#include "instrument/stops.hpp"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

namespace warpz::instrument {

uniform_values::uniform_values(llvm::Function& kernel, lane_values& values) : post_dominators_(kernel) {
  for (llvm::Instruction& each : llvm::instructions(kernel)) {
    const std::optional<stop_call> stop = as_stop(each);
    if (stop && stop->kind != WARPZ_STOP_RETURN) stopping_.insert(each.getParent());
    lane_query kind{};
    const bool is_computed = lane_values::is_pure(each) || llvm::isa<llvm::PHINode, llvm::FreezeInst>(each);
    if (is_query(&each, kind) || (!is_computed && values.of(&each) != dependence::launch)) mark(each);
  }
  while (!to_follow_.empty()) {
    const llvm::Instruction* const current = to_follow_.back();
    to_follow_.pop_back();
    for (const llvm::User* const user : current->users()) {
      const auto& each = *llvm::cast<llvm::Instruction>(user);
      if (each.isTerminator()) {
        follow_branch(each);
      } else {
        mark(each);
      }
    }
  }
}

void uniform_values::mark(const llvm::Instruction& value) {
  if (differing_.insert(&value).second) to_follow_.push_back(&value);
}

void uniform_values::mark_phis(const blocks& in) {
  for (const llvm::BasicBlock* const block : in) {
    for (const llvm::PHINode& each : block->phis()) mark(each);
  }
}

/// With the end, but not what is behind it.
uniform_values::blocks uniform_values::reachable(const llvm::BasicBlock* from, const llvm::BasicBlock* end) {
  blocks reached{from};
  std::vector<const llvm::BasicBlock*> to_follow{from};
  while (!to_follow.empty()) {
    const llvm::BasicBlock* const current = to_follow.back();
    to_follow.pop_back();
    if (current == end) continue;
    for (const llvm::BasicBlock* const each : llvm::successors(current)) {
      if (reached.insert(each).second) to_follow.push_back(each);
    }
  }
  return reached;
}

bool uniform_values::has_stop(const blocks& in) const {
  for (const llvm::BasicBlock* const each : in) {
    if (stopping_.count(each) != 0) return true;
  }
  return false;
}

/// Lanes may take different ways here. Where those meet again before any stop, only what the ways compute differs;
/// otherwise lanes may be in different rounds of a loop at their next stops.
void uniform_values::follow_branch(const llvm::Instruction& branch) {
  std::vector<const llvm::BasicBlock*> ways;
  for (const llvm::BasicBlock* const each : llvm::successors(&branch)) {
    const blocks all = reachable(each, nullptr);
    if (has_stop(all)) {
      ways.push_back(each);
    } else {
      mark_phis(all);
    }
  }
  if (ways.size() < 2) return;
  const auto* const node = post_dominators_.getNode(branch.getParent());
  const llvm::BasicBlock* const meeting =
      node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
  for (const llvm::BasicBlock* const each : ways) {
    blocks before = reachable(each, meeting);
    mark_phis(before);
    before.erase(meeting);
    if (meeting == nullptr || has_stop(before)) mark_phis(reachable(each, nullptr));
  }
}

}  // namespace warpz::instrument

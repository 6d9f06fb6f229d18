// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are the same for all lanes of a warp that go through a kernel together, from stop to stop. A lane that
// returns early does not count for what comes behind.
#pragma once

#include <set>
#include <vector>

#include "instrument/lane_values.hpp"
#include "llvm/Analysis/PostDominators.h"

namespace warpz::instrument {

class uniform_values {
 public:
  /// In this kernel a return ends its block.
  uniform_values(llvm::Function& kernel, lane_values& values);

  bool contains(const llvm::Value& value) const { return differing_.count(&value) == 0; }

 private:
  using blocks = std::set<const llvm::BasicBlock*>;

  void mark(const llvm::Instruction& value);
  void mark_phis(const blocks& in);
  void follow_branch(const llvm::Instruction& branch);
  static blocks reachable(const llvm::BasicBlock* from, const llvm::BasicBlock* end);
  bool has_stop(const blocks& in) const;

  llvm::PostDominatorTree post_dominators_;
  blocks stopping_;
  std::set<const llvm::Value*> differing_;
  std::vector<const llvm::Instruction*> to_follow_;
};

}  // namespace warpz::instrument

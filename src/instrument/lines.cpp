// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/passes.hpp"
#include "instrument/region_builder.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {
namespace {

/// The code generator makes one instruction of a load and of what puts the value into a vector.
void keep_lines_of_loads(llvm::Function& function) {
  for (llvm::Instruction& each : llvm::instructions(function)) {
    const auto* const insertion = llvm::dyn_cast<llvm::InsertElementInst>(&each);
    if (insertion == nullptr || each.getDebugLoc()) continue;
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(insertion->getOperand(1));
    if (load != nullptr) each.setDebugLoc(load->getDebugLoc());
  }
}

template <class Instructions>
llvm::DebugLoc first_line(Instructions&& all) {
  for (const llvm::Instruction& each : all) {
    if (each.getDebugLoc()) return each.getDebugLoc();
  }
  return {};
}

/// A loop over lanes is at the line of what its lanes do before or next.
void spread_lines(llvm::Function& function) {
  llvm::DenseMap<const llvm::BasicBlock*, llvm::DebugLoc> lines_at_end;
  const llvm::DebugLoc first = first_line(llvm::instructions(function));
  const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function);
  for (llvm::BasicBlock* const block : blocks) {
    llvm::DebugLoc line = first_line(*block);
    for (const llvm::BasicBlock* const each : llvm::predecessors(block)) {
      if (!line) line = lines_at_end.lookup(each);
    }
    if (!line) line = first;
    for (llvm::Instruction& each : *block) {
      if (each.getDebugLoc()) {
        line = each.getDebugLoc();
      } else {
        each.setDebugLoc(line);
      }
    }
    lines_at_end[block] = line;
  }
}

}  // namespace

void complete_lines(llvm::Module& module) {
  for (llvm::Function& function : module) {
    keep_lines_of_loads(function);
    if (function.hasFnAttribute(region_attribute)) spread_lines(function);
  }
}

}  // namespace warpz::instrument

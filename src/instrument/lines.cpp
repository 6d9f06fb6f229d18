// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>
#include <vector>

#include "instrument/machine_code.hpp"
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

bool has_line(const llvm::Instruction& instruction) {
  return instruction.getDebugLoc() && instruction.getDebugLoc().getLine() != 0;
}

/// The line of what uses the value first, or of what uses that. Those of a loop come in the order of their blocks.
llvm::DebugLoc line_of_use(const llvm::Instruction& value, unsigned depth) {
  std::vector<const llvm::Instruction*> next{&value};
  for (; depth != 0 && !next.empty(); --depth) {
    std::vector<const llvm::Instruction*> users;
    llvm::DebugLoc first;
    for (const llvm::Instruction* const each : next) {
      for (const llvm::User* const user : each->users()) {
        const auto* const instruction = llvm::cast<llvm::Instruction>(user);
        users.push_back(instruction);
        const bool is_first =
            has_line(*instruction) && (!first || instruction->getDebugLoc().getLine() < first.getLine());
        if (is_first) first = instruction->getDebugLoc();
      }
    }
    if (first) return first;
    next = std::move(users);
  }
  return {};
}

/// The line of what is stored, or of what its address is made of.
llvm::DebugLoc line_of_operand(const llvm::StoreInst& store) {
  for (const llvm::Value* const each : store.operands()) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(each);
    if (instruction != nullptr && has_line(*instruction)) return instruction->getDebugLoc();
  }
  return {};
}

}  // namespace

void complete_lines_of_accesses(llvm::Module& module) {
  constexpr unsigned most_uses = 4;
  for (llvm::Function& function : module) {
    if (!is_checked(function)) continue;
    for (llvm::Instruction& each : llvm::instructions(function)) {
      if (has_line(each)) continue;
      llvm::DebugLoc line;
      if (llvm::isa<llvm::LoadInst>(each)) line = line_of_use(each, most_uses);
      if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&each)) line = line_of_operand(*store);
      if (line) each.setDebugLoc(line);
    }
  }
}

void complete_lines(llvm::Module& module) {
  for (llvm::Function& function : module) {
    keep_lines_of_loads(function);
    if (function.hasFnAttribute(region_attribute)) spread_lines(function);
  }
}

}  // namespace warpz::instrument

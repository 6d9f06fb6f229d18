// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly in device code. The front end takes any, and hands it on as text. PTX that a CPU can do becomes LLVM IR and
// calls of the machine (cuda/detail/ptx_statements.h); an empty statement, which only holds the compiler back, stays;
// any other is an error at its line.
#include <algorithm>
#include <string>
#include <vector>

#include "instrument/machine_code.hpp"
#include "instrument/passes.hpp"
#include "instrument/ptx_instructions.hpp"
#include "instrument/ptx_text.hpp"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {
namespace {

bool build_always(ptx_registers& registers, const ptx_instruction& one) {
  return build_ptx_memory(registers, one) || build_ptx_machine(registers, one) || build_ptx_bits(registers, one) ||
         build_ptx_arithmetic(registers, one);
}

bool build(ptx_registers& registers, const ptx_instruction& one) {
  if (one.predicate.empty()) return build_always(registers, one);
  llvm::Value* condition = registers.read_predicate(one.predicate);
  if (condition == nullptr) return false;
  if (one.is_negated) condition = registers.builder.CreateNot(condition);
  return registers.build_where(condition, [&] { return build_always(registers, one); });
}

/// Puts code in place of the assembly. Returns the first words that it does not know; nothing where it knows them all.
std::string replace(llvm::CallInst& call, const ptx_text& ptx) {
  // HIP's headers lack the machine's functions for it.
  if (call.getModule()->getFunction("__warpz_ptx_laneid") == nullptr) return ptx.text;
  ptx_registers registers(call);
  for (const auto& [name, type] : ptx.registers) {
    if (!registers.declare(name, type)) return ".reg ." + type + " " + name;
  }
  for (const ptx_instruction& each : ptx.instructions) {
    if (!build(registers, each)) return each.text;
  }
  registers.replace_result();
  return {};
}

/// An error at the statement's line.
void refuse(llvm::CallInst& call, llvm::StringRef statement) {
  // As in the source.
  std::string words = statement.str();
  std::replace(words.begin(), words.end(), '$', '%');
  const std::string message =
      ("the CPU machine has no such instruction: '" + words +
       "'. Write what it does in C++, by a function of CUDA or HIP, or by warpz's device library.");
  call.getContext().diagnose(llvm::DiagnosticInfoInlineAsm(call, message));
  call.replaceAllUsesWith(llvm::PoisonValue::get(call.getType()));
}

}  // namespace

void replace_ptx_statements(llvm::Module& module) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& each : module) {
    if (is_of_machine(each)) continue;
    for (llvm::Instruction& instruction : llvm::instructions(each)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call != nullptr && call->isInlineAsm()) calls.push_back(call);
    }
  }
  for (llvm::CallInst* const call : calls) {
    const llvm::StringRef assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString();
    const std::optional<ptx_text> ptx = read_ptx(assembly);
    if (ptx && ptx->instructions.empty() && ptx->registers.empty()) continue;
    const std::string unknown = ptx ? replace(*call, *ptx) : assembly.trim(" \t\n;").str();
    if (!unknown.empty()) refuse(*call, unknown);
    call->eraseFromParent();
  }
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly in device code. The front end takes any, and hands it on as text. The PTX statements that CUDA's programs
// use most become calls of the machine (cuda/detail/ptx_statements.h); an empty statement, which only holds the
// compiler back, stays; any other is an error at its line.
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "instrument/machine_code.hpp"
#include "instrument/passes.hpp"

namespace warpz::instrument {
namespace {

/// With one space between words, and without the semicolon.
std::string plain_text(llvm::StringRef statement) {
  std::string text;
  for (const char letter : statement) {
    const bool is_blank = letter == ' ' || letter == '\t' || letter == '\n';
    if (!is_blank) text += letter;
    if (is_blank && !text.empty() && text.back() != ' ') text += ' ';
  }
  return llvm::StringRef(text).rtrim(" ;").str();
}

struct known_statement {
  llvm::StringLiteral statement;
  llvm::StringLiteral function;  ///< of the machine's, which does the same
};

constexpr known_statement known_statements[] = {
    {"mov.u32 $0, %laneid", "__warpz_ptx_laneid"},
    {"mov.u32 $0, %warpid", "__warpz_ptx_warpid"},
    {"mov.u32 $0, %lanemask_lt", "__warpz_ptx_lanemask_lt"},
    {"mov.u32 $0, %lanemask_le", "__warpz_ptx_lanemask_le"},
    {"mov.u32 $0, %lanemask_eq", "__warpz_ptx_lanemask_eq"},
    {"mov.u32 $0, %lanemask_ge", "__warpz_ptx_lanemask_ge"},
    {"mov.u32 $0, %lanemask_gt", "__warpz_ptx_lanemask_gt"},
    {"mov.u32 $0, %clock", "__warpz_ptx_clock"},
    {"mov.u64 $0, %clock64", "__warpz_ptx_clock"},
    {"mov.u64 $0, %globaltimer", "__warpz_ptx_clock"},
    {"bar.sync 0", "__warpz_ptx_bar_sync"},
    {"barrier.sync 0", "__warpz_ptx_bar_sync"},
    {"membar.cta", "__warpz_ptx_membar"},
    {"membar.gl", "__warpz_ptx_membar"},
    {"membar.sys", "__warpz_ptx_membar"},
    {"fence.acq_rel.cta", "__warpz_ptx_membar"},
    {"fence.acq_rel.gpu", "__warpz_ptx_membar"},
    {"fence.acq_rel.sys", "__warpz_ptx_membar"},
    {"fence.sc.cta", "__warpz_ptx_membar"},
    {"fence.sc.gpu", "__warpz_ptx_membar"},
    {"fence.sc.sys", "__warpz_ptx_membar"},
    {"trap", "__warpz_ptx_trap"},
};

/// Null for a statement that is not known, and in HIP, whose headers lack these functions.
llvm::Function* function_for(llvm::StringRef statement, const llvm::Module& module) {
  for (const known_statement& each : known_statements) {
    if (each.statement == statement) return module.getFunction(each.function);
  }
  return nullptr;
}

bool is_called_as(const llvm::CallInst& call) {
  return call.arg_empty() && (call.getType()->isVoidTy() || call.getType()->isIntegerTy());
}

/// Calls the function with the statement's own words, its file and its line.
void call_instead(llvm::CallInst& call, llvm::Function& function, llvm::StringRef statement) {
  llvm::IRBuilder<> builder(&call);
  const llvm::DILocation* const place = call.getDebugLoc();
  const llvm::StringRef operation = statement.take_until([](char letter) { return letter == ' '; });
  llvm::Value* const arguments[] = {builder.CreateGlobalString(operation),
                                    builder.CreateGlobalString(place != nullptr ? place->getFilename() : ""),
                                    builder.getInt32(place != nullptr ? place->getLine() : 0)};
  llvm::CallInst* const result = builder.CreateCall(&function, arguments);
  if (!call.getType()->isVoidTy()) call.replaceAllUsesWith(builder.CreateZExtOrTrunc(result, call.getType()));
  call.eraseFromParent();
}

/// An error at the statement's line. Nothing is left of it, of which the assembler would complain again.
void refuse(llvm::CallInst& call, llvm::StringRef statement) {
  // As in the source.
  std::string words = statement.str();
  std::replace(words.begin(), words.end(), '$', '%');
  const std::string message =
      ("the CPU machine has no such instruction: '" + words +
       "'. Write what it does in C++, by a function of CUDA or HIP, or by warpz's device library.");
  call.getContext().diagnose(llvm::DiagnosticInfoInlineAsm(call, message));
  call.replaceAllUsesWith(llvm::PoisonValue::get(call.getType()));
  call.eraseFromParent();
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
    const std::string statement = plain_text(llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString());
    if (statement.empty()) continue;
    llvm::Function* const function = function_for(statement, module);
    if (function != nullptr && is_called_as(*call)) {
      call_instead(*call, *function, statement);
    } else {
      refuse(*call, statement);
    }
  }
}

}  // namespace warpz::instrument

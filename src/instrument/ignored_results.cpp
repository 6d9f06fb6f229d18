// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the host's code, a call of HIP whose result nothing uses is followed by a call of the machine that gets the result
// (src/simt/hip/errors.cpp). What counts is the optimized code: a status that is set and never read is not used, and
// neither is one that only a macro of a debug build looks at.
#include <vector>

#include "instrument/passes.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace warpz::instrument {
namespace {

/// By the namespaces in which HIP's calls are on the machine; no other function there that a program calls and does not
/// define returns an int. A launch by `<<<...>>>` ends in a call of a C function.
bool is_hip_call(const llvm::Instruction& each) {
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
  const llvm::Function* const called = call != nullptr ? call->getCalledFunction() : nullptr;
  if (called == nullptr || !called->isDeclaration() || !called->getReturnType()->isIntegerTy(32)) return false;
  const llvm::StringRef name = called->getName();
  return name.starts_with("_ZN10hip_on_cpu") || name.starts_with("_ZN4simt") || name == "hipLaunchKernel";
}

std::vector<llvm::CallBase*> hip_calls(llvm::Module& module) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& each : llvm::instructions(function)) {
      if (is_hip_call(each)) calls.push_back(llvm::cast<llvm::CallBase>(&each));
    }
  }
  return calls;
}

/// Where the code goes on after the call.
llvm::Instruction* behind(llvm::CallBase& call) {
  auto* const invoke = llvm::dyn_cast<llvm::InvokeInst>(&call);
  if (invoke == nullptr) return call.getNextNode();
  llvm::BasicBlock* next = invoke->getNormalDest();
  if (next->getSinglePredecessor() == nullptr) next = llvm::SplitEdge(invoke->getParent(), next);
  return &*next->getFirstInsertionPt();
}

}  // namespace

void keep_calls_apart(llvm::Module& module) {
  for (llvm::CallBase* const each : hip_calls(module)) each->addFnAttr(llvm::Attribute::NoMerge);
}

void report_ignored_results(llvm::Module& module) {
  for (llvm::CallBase* const each : hip_calls(module)) {
    if (!each->use_empty()) continue;
    llvm::IRBuilder<> builder(behind(*each));
    builder.SetCurrentDebugLocation(each->getDebugLoc());
    const llvm::FunctionCallee callback =
        module.getOrInsertFunction("simt_ignored_result", builder.getVoidTy(), builder.getInt32Ty());
    builder.CreateCall(callback, {each});
    if (auto* const call = llvm::dyn_cast<llvm::CallInst>(each)) call->setTailCall(false);
  }
}

}  // namespace warpz::instrument

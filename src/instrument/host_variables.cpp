// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of a checked program's host code, which no lane reaches: they lie beside those of its device code.
#include <vector>

#include "instrument/passes.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace warpz::instrument {

void list_host_variables(llvm::Module& module) {
  // Others give no kernel anything, and their program may be one without the machine.
  const bool uses_hip = llvm::any_of(module.functions(), [](const llvm::Function& each) {
    return each.isDeclaration() && each.getName().contains("hip");
  });
  if (!uses_hip) return;
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& each : module.globals()) {
    const bool is_variable = !each.isDeclaration() && !each.isConstant() && !each.isThreadLocal();
    const bool is_own = !each.getName().starts_with("llvm.") && !each.hasSection();
    // What lies in the program once for several of its sources is not always this one.
    if (is_variable && is_own && !each.isInterposable() && !each.hasAvailableExternallyLinkage())
      variables.push_back(&each);
  }
  if (variables.empty()) return;
  auto* const constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false),
                             llvm::GlobalValue::InternalLinkage, "simt.host_variables_ctor", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", constructor));
  const llvm::FunctionCallee callback =
      module.getOrInsertFunction("simt_host_variable", builder.getVoidTy(), builder.getPtrTy(), builder.getInt64Ty());
  for (llvm::GlobalVariable* const each : variables) {
    const std::uint64_t bytes = module.getDataLayout().getTypeAllocSize(each->getValueType());
    builder.CreateCall(callback, {each, builder.getInt64(bytes)});
  }
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, 0);
}

}  // namespace warpz::instrument

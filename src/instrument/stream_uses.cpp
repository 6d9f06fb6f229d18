// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a program may give a device work that the null stream does not wait for. Without such work, a launch on the
// null stream meets no other work, and its blocks may run at the same time (src/simt/machine/trial.hpp).
#include "instrument/passes.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace warpz::instrument {

void report_stream_uses(llvm::Module& module) {
  // Streams with flags may be non-blocking; each device has a null stream of its own.
  constexpr llvm::StringRef sources_of_it[] = {"StreamCreateWith", "cuStreamCreate", "hipSetDevice"};
  const bool may_be = llvm::any_of(module.functions(), [&](const llvm::Function& each) {
    return each.isDeclaration() &&
           llvm::any_of(sources_of_it, [&](llvm::StringRef name) { return each.getName().contains(name); });
  });
  if (!may_be) return;
  auto* const constructor =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false),
                             llvm::GlobalValue::InternalLinkage, "simt.stream_ctor", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", constructor));
  builder.CreateCall(module.getOrInsertFunction("simt_uses_streams", builder.getVoidTy()));
  builder.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, 0);
}

}  // namespace warpz::instrument

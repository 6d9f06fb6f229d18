// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "instrument/passes.hpp"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace warpz::instrument {
namespace {

/// Clang's own operator new for device code, which calls malloc.
bool is_of_clang(const llvm::Function& function) {
  const llvm::DISubprogram* const source = function.getSubprogram();
  return source != nullptr && source->getFilename().ends_with("cuda_wrappers/new");
}

}  // namespace

void use_machine_allocations(llvm::Module& module) {
  constexpr std::pair<const char*, const char*> allocations[] = {
      {"malloc", "simt_malloc"}, {"_Znwm", "simt_new"}, {"_Znam", "simt_new_array"}};
  for (const auto& [name, machine_name] : allocations) {
    llvm::Function* const function = module.getFunction(name);
    // A program's own function stays.
    if (function == nullptr || (!function->isDeclaration() && !is_of_clang(*function))) continue;
    function->deleteBody();
    // "uninitialized", among others.
    function->removeFnAttr(llvm::Attribute::AllocKind);
    for (llvm::User* const each : function->users()) {
      if (auto* const call = llvm::dyn_cast<llvm::CallBase>(each)) call->removeFnAttr(llvm::Attribute::AllocKind);
    }
    function->setName(machine_name);
  }
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "instrument/passes.hpp"
#include "llvm/IR/InstrTypes.h"

namespace warpz::instrument {

void use_machine_allocations(llvm::Module& module) {
  constexpr std::pair<const char*, const char*> allocations[] = {
      {"malloc", "simt_malloc"}, {"_Znwm", "simt_new"}, {"_Znam", "simt_new_array"}};
  for (const auto& [name, machine_name] : allocations) {
    llvm::Function* const function = module.getFunction(name);
    // A program's own function stays.
    if (function == nullptr || !function->isDeclaration()) continue;
    // "uninitialized", among others.
    function->removeFnAttr(llvm::Attribute::AllocKind);
    for (llvm::User* const each : function->users()) {
      if (auto* const call = llvm::dyn_cast<llvm::CallBase>(each)) call->removeFnAttr(llvm::Attribute::AllocKind);
    }
    function->setName(machine_name);
  }
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/machine_code.hpp"

#include "instrument/names.hpp"
#include "instrument/passes.hpp"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {

bool is_of_machine(const llvm::GlobalValue& each) {
  llvm::StringRef name = each.getName();
  if (!name.consume_front("_Z")) return false;
  const bool is_nested = name.consume_front("N");
  // A method of a constant object.
  if (is_nested) name.consume_front("K");
  if (name.starts_with("St")) return name.contains("N5warpz6detail");
  return is_nested && (name.starts_with("4simt") || name.starts_with("5warpz"));
}

bool is_arithmetic_check(const llvm::Instruction& each) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&each);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName() == arithmetic_function;
}

void mark_checked_functions(llvm::Module& module) {
  for (llvm::Function& each : module) {
    if (!each.isDeclaration() && !each.hasFnAttribute(llvm::Attribute::DisableSanitizerInstrumentation))
      each.addFnAttr(llvm::Attribute::SanitizeThread);
  }
}

}  // namespace warpz::instrument

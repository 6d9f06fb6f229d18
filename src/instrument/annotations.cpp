// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/annotations.hpp"

#include "llvm/IR/Constants.h"

namespace warpz::instrument {

std::uint64_t first_number(const annotation& each) {
  const llvm::Constant* const first = each.arguments != nullptr ? each.arguments->getAggregateElement(0U) : nullptr;
  const auto* const number = llvm::dyn_cast_or_null<llvm::ConstantInt>(first);
  return number != nullptr ? number->getZExtValue() : 0;
}

std::vector<annotation> annotations_of(llvm::Module& module) {
  std::vector<annotation> found;
  const llvm::GlobalVariable* const list = module.getNamedGlobal("llvm.global.annotations");
  const auto* const entries =
      list != nullptr && list->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  if (entries == nullptr) return found;
  for (const llvm::Use& each : entries->operands()) {
    // The value, the text, its file and line, and the arguments.
    const auto* const entry = llvm::cast<llvm::ConstantStruct>(each.get());
    const auto* const text = llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
    const auto* const letters =
        text != nullptr ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer()) : nullptr;
    auto* const annotated = llvm::dyn_cast<llvm::GlobalValue>(entry->getOperand(0)->stripPointerCasts());
    if (letters == nullptr || annotated == nullptr) continue;
    const auto* const arguments = llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(4)->stripPointerCasts());
    found.push_back({annotated, letters->getAsCString(), arguments != nullptr ? arguments->getInitializer() : nullptr});
  }
  return found;
}

}  // namespace warpz::instrument

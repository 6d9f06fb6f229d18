// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable becomes the beginning of a longer one, and its name, linkage and size those of an alias.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "instrument/passes.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"

namespace warpz::instrument {
namespace {

constexpr std::uint64_t smallest_zone = 256, largest_zone = 65536, largest_aligned = 65536;

bool gets_red_zone(const llvm::GlobalVariable& variable) {
  return variable.hasInitializer() && !variable.isConstant() && !variable.hasSection() &&
         !variable.hasAvailableExternallyLinkage() && !variable.hasAppendingLinkage() && !variable.hasCommonLinkage() &&
         !variable.getName().starts_with("llvm.") && variable.getAlign().valueOrOne().value() <= largest_aligned;
}

void add_red_zone(llvm::GlobalVariable& variable) {
  llvm::Module& module = *variable.getParent();
  llvm::Type* const type = variable.getValueType();
  const std::uint64_t size = module.getDataLayout().getTypeAllocSize(type);
  const std::uint64_t zone = std::clamp(2 * size, smallest_zone, largest_zone);
  llvm::Constant* const unused =
      llvm::ConstantAggregateZero::get(llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), zone));
  llvm::Constant* const content = llvm::ConstantStruct::getAnon({variable.getInitializer(), unused});
  // The alias has the linkage.
  auto* const longer = new llvm::GlobalVariable(module, content->getType(), false, llvm::GlobalValue::PrivateLinkage,
                                                content, variable.getName() + ".zoned", &variable,
                                                variable.getThreadLocalMode(), variable.getAddressSpace());
  longer->setAlignment(variable.getAlign().value_or(module.getDataLayout().getPrefTypeAlign(type)));
  longer->setComdat(variable.getComdat());
  longer->copyMetadata(&variable, 0);
  longer->setExternallyInitialized(variable.isExternallyInitialized());
  auto* const alias =
      llvm::GlobalAlias::create(type, variable.getAddressSpace(), variable.getLinkage(), "", longer, &module);
  alias->setThreadLocalMode(variable.getThreadLocalMode());
  alias->setVisibility(variable.getVisibility());
  alias->setDSOLocal(variable.isDSOLocal());
  alias->setUnnamedAddr(variable.getUnnamedAddr());
  alias->takeName(&variable);
  variable.replaceAllUsesWith(alias);
  variable.eraseFromParent();
}

}  // namespace

void add_red_zones(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& each : module.globals()) {
    if (gets_red_zone(each)) variables.push_back(&each);
  }
  for (llvm::GlobalVariable* const each : variables) add_red_zone(*each);
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/passes.hpp"

namespace warpz::instrument {
namespace {

/// The compiler's own descriptions of types, and what the machine and the device library have.
bool is_of_others(llvm::StringRef name) {
  return name.starts_with("_ZT") || name.starts_with("_ZN4simt") || name.starts_with("_ZN5warpz");
}

/// A constexpr array of the host's that device code reads is a copy without a symbol, to Clang.
void give_name_back(llvm::GlobalVariable& variable) {
  llvm::StringRef name = variable.getName();
  if (!variable.hasPrivateLinkage() || !name.consume_back(".const")) return;
  variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  variable.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
  variable.setName(name.str());
}

}  // namespace

void make_constant_arrays_variable(llvm::Module& module) {
  for (llvm::GlobalVariable& each : module.globals()) {
    give_name_back(each);
    const llvm::Type* const type = each.getValueType();
    // Objects without an address of their own, such as string literals, were not declared by anybody.
    const bool is_declared = each.isConstant() && !each.hasAtLeastLocalUnnamedAddr() && !is_of_others(each.getName());
    if (!is_declared || !(type->isAggregateType() || type->isVectorTy())) continue;
    each.setConstant(false);
    // Otherwise LLVM finds out that nobody writes to it.
    if (each.hasInternalLinkage()) each.setExternallyInitialized(true);
  }
}

}  // namespace warpz::instrument

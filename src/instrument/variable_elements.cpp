// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the arrays of device code consist of. A finding counts elements of the source, whatever the size of the access.
// size.
#include <string>

#include "abi/device_image.h"
#include "instrument/lists.hpp"
#include "instrument/passes.hpp"
#include "instrument/types.hpp"
#include "llvm/BinaryFormat/Dwarf.h"

namespace warpz::instrument {
namespace {

/// In bytes; 0: no array.
std::uint64_t element_bytes(const llvm::GlobalVariable& variable) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
  variable.getDebugInfo(debug);
  if (debug.empty()) return 0;
  const auto* const array =
      llvm::dyn_cast_or_null<llvm::DICompositeType>(unqualified(debug.front()->getVariable()->getType()));
  const bool is_array = array != nullptr && array->getTag() == llvm::dwarf::DW_TAG_array_type && !array->isVector();
  return is_array ? bytes_of_type(array->getBaseType()) : 0;
}

}  // namespace

void list_variable_elements(llvm::Module& module) {
  std::string list;
  for (const llvm::GlobalVariable& each : module.globals()) {
    const std::uint64_t bytes = element_bytes(each);
    if (bytes == 0) continue;
    const std::uint64_t whole = module.getDataLayout().getTypeAllocSize(each.getValueType());
    list += each.getName().str() + '\t' + std::to_string(whole) + '\t' + std::to_string(bytes) + '\n';
  }
  if (!list.empty()) add_list(module, WARPZ_VARIABLE_ELEMENTS_SECTION, list);
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the variables of device code consist of. A finding names the member and counts the elements of the source,
// whatever the size of the access.
#include <string>

#include "abi/device_image.h"
#include "instrument/lists.hpp"
#include "instrument/passes.hpp"
#include "instrument/types.hpp"
#include "llvm/BinaryFormat/Dwarf.h"

namespace warpz::instrument {
namespace {

namespace dwarf = llvm::dwarf;

/// A library's storage may have any number of them, nested in each other.
constexpr unsigned max_rows = 256;

/// A part of a variable.
struct part {
  llvm::DIType* type;
  std::string path;     ///< ".member"; empty: all of it
  std::uint64_t begin;  ///< in bytes
};

bool is_reserved(llvm::StringRef name) {
  return name.contains("__") || (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z');
}

class member_list {
 public:
  /// Of a variable by its symbol.
  member_list(llvm::StringRef symbol, std::uint64_t bytes) : start_(symbol.str() + '\t' + std::to_string(bytes)) {}

  /// The part's row, and those of its members.
  void add(const part& one) {
    llvm::DIType* const type = unqualified(one.type);
    const std::uint64_t bytes = bytes_of_type(type);
    if (type == nullptr || bytes == 0 || rows_ == max_rows) return;
    const auto* const composite = llvm::dyn_cast<llvm::DICompositeType>(type);
    const unsigned tag = composite == nullptr || composite->isVector() ? 0 : composite->getTag();
    if (tag == dwarf::DW_TAG_array_type) return add_row(one, bytes, bytes_of_type(composite->getBaseType()), composite);
    add_row(one, bytes, bytes, nullptr);
    if (tag == dwarf::DW_TAG_structure_type || tag == dwarf::DW_TAG_class_type) add_members(*composite, one);
  }

  std::string text;

 private:
  void add_row(const part& one, std::uint64_t bytes, std::uint64_t element, const llvm::DICompositeType* array) {
    ++rows_;
    text += start_ + '\t' + one.path + '\t' + std::to_string(one.begin) + '\t' + std::to_string(bytes) + '\t' +
            std::to_string(element) + '\t';
    std::string extents;
    for (const llvm::DINode* const each : array != nullptr ? array->getElements() : llvm::DINodeArray()) {
      const auto* const range = llvm::dyn_cast<llvm::DISubrange>(each);
      const auto* const count =
          range != nullptr ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
      extents += (extents.empty() ? "" : " ") + std::to_string(count != nullptr ? count->getZExtValue() : 0);
    }
    text += extents + '\n';
  }

  void add_members(const llvm::DICompositeType& outer, const part& whole) {
    for (llvm::DINode* const each : outer.getElements()) {
      const auto* const member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(each);
      // What several bit fields share has none of their names.
      if (member == nullptr || member->isStaticMember() || member->isBitField() || member->isVirtual()) continue;
      const bool is_base = member->getTag() == dwarf::DW_TAG_inheritance;
      if (!is_base && member->getTag() != dwarf::DW_TAG_member) continue;
      const llvm::StringRef name = member->getName();
      // What has no name, or one that only the standard library may use (std::array), is no word of the source's.
      const bool is_named = !is_base && !name.empty() && !is_reserved(name);
      add({member->getBaseType(), is_named ? whole.path + '.' + name.str() : whole.path,
           whole.begin + member->getOffsetInBits() / 8});
    }
  }

  std::string start_;
  unsigned rows_ = 0;
};

}  // namespace

void list_variable_members(llvm::Module& module) {
  std::string list;
  for (const llvm::GlobalVariable& each : module.globals()) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> debug;
    each.getDebugInfo(debug);
    if (debug.empty()) continue;
    member_list members(each.getName(), module.getDataLayout().getTypeAllocSize(each.getValueType()));
    members.add({debug.front()->getVariable()->getType(), "", 0});
    list += members.text;
  }
  if (!list.empty()) add_list(module, WARPZ_VARIABLES_SECTION, list);
}

}  // namespace warpz::instrument

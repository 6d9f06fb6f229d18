// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/types.hpp"

#include "llvm/BinaryFormat/Dwarf.h"

#include <algorithm>

namespace warpz::instrument {
namespace {

namespace dwarf = llvm::dwarf;

llvm::DIDerivedType* derived(llvm::DIType* type) { return llvm::dyn_cast_or_null<llvm::DIDerivedType>(type); }

bool is_qualifier(unsigned tag) {
  return tag == dwarf::DW_TAG_typedef || tag == dwarf::DW_TAG_const_type || tag == dwarf::DW_TAG_volatile_type ||
         tag == dwarf::DW_TAG_restrict_type || tag == dwarf::DW_TAG_template_alias || tag == dwarf::DW_TAG_atomic_type;
}

/// The scopes before a name, as "mine::"; empty at the top.
std::string name_of_scope(const llvm::DIScope* scope) {
  if (scope == nullptr || llvm::isa<llvm::DIFile>(scope) || llvm::isa<llvm::DICompileUnit>(scope)) return {};
  const std::string outer = name_of_scope(scope->getScope());
  return scope->getName().empty() ? outer : outer + scope->getName().str() + "::";
}

std::string name_with(llvm::DIType* type, const char* qualifier) {
  const std::string name = name_of_type(type);
  return llvm::StringRef(name).ends_with(qualifier) ? name : name + " " + qualifier;
}

std::string name_of(llvm::DIType* type) {
  if (type == nullptr) return "void";
  const llvm::DIDerivedType* const outer = derived(type);
  if (outer == nullptr) return name_of_scope(type->getScope()) + type->getName().str();
  llvm::DIType* const inner = outer->getBaseType();
  switch (outer->getTag()) {
    case dwarf::DW_TAG_pointer_type:
      return name_of(inner) + "*";
    case dwarf::DW_TAG_reference_type:
      return name_of(inner) + "&";
    case dwarf::DW_TAG_rvalue_reference_type:
      return name_of(inner) + "&&";
    case dwarf::DW_TAG_const_type:
      return name_with(inner, "const");
    case dwarf::DW_TAG_volatile_type:
      return name_with(inner, "volatile");
    default:
      return name_of(inner);
  }
}

}  // namespace

llvm::DIType* unqualified(llvm::DIType* type) {
  while (llvm::DIDerivedType* const outer = derived(type)) {
    if (!is_qualifier(outer->getTag())) break;
    type = outer->getBaseType();
  }
  return type;
}

std::uint64_t bytes_of_type(llvm::DIType* type) {
  llvm::DIType* const plain = unqualified(type);
  const llvm::DIDerivedType* const outer = derived(plain);
  const bool is_reference = outer != nullptr && (outer->getTag() == dwarf::DW_TAG_reference_type ||
                                                 outer->getTag() == dwarf::DW_TAG_rvalue_reference_type);
  if (is_reference) return sizeof(void*);
  return plain != nullptr ? plain->getSizeInBits() / 8 : 0;
}

std::uint32_t alignment_of_type(llvm::DIType* type) {
  llvm::DIType* const plain = unqualified(type);
  if (plain == nullptr) return 1;
  std::uint32_t alignment = std::max<std::uint32_t>(plain->getAlignInBytes(), 1);
  const auto* const composite = llvm::dyn_cast<llvm::DICompositeType>(plain);
  if (composite == nullptr) {
    const std::uint64_t bytes = bytes_of_type(plain);
    return std::max<std::uint32_t>(alignment, bytes != 0 ? static_cast<std::uint32_t>(bytes & -bytes) : 1);
  }
  if (composite->getTag() == dwarf::DW_TAG_enumeration_type)
    return std::max(alignment, static_cast<std::uint32_t>(bytes_of_type(plain)));
  if (composite->getTag() == dwarf::DW_TAG_array_type) {
    const auto bytes = static_cast<std::uint32_t>(bytes_of_type(plain));
    return std::max(alignment, composite->isVector() ? bytes & -bytes : alignment_of_type(composite->getBaseType()));
  }
  for (const llvm::DINode* const each : composite->getElements()) {
    const auto* const member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(each);
    if (member == nullptr || member->isStaticMember()) continue;
    if (member->getTag() != dwarf::DW_TAG_member && member->getTag() != dwarf::DW_TAG_inheritance) continue;
    alignment = std::max({alignment, member->getAlignInBytes(), alignment_of_type(member->getBaseType())});
  }
  return alignment;
}

llvm::DIType* pointee_of(llvm::DIType* type) {
  const llvm::DIDerivedType* const outer = derived(unqualified(type));
  return outer != nullptr ? outer->getBaseType() : nullptr;
}

std::string name_of_type(llvm::DIType* type) {
  // What a parameter's own value may not be changed to is not part of the kernel's type.
  while (llvm::DIDerivedType* const outer = derived(type)) {
    if (outer->getTag() != dwarf::DW_TAG_const_type && outer->getTag() != dwarf::DW_TAG_volatile_type) break;
    type = outer->getBaseType();
  }
  return name_of(type);
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/warp_operations.hpp"

#include <cstdlib>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {
namespace {

struct function_name {
  std::string space, base;
};

/// Empty for what is no function of C++.
function_name name_of(const llvm::Function& function) {
  const std::string mangled = function.getName().str();
  llvm::ItaniumPartialDemangler symbol;
  if (symbol.partialDemangle(mangled.c_str()) || !symbol.isFunction()) return {};
  const auto taken = [](char* text) {
    std::string copy = text != nullptr ? text : "";
    std::free(text);
    return copy;
  };
  return {taken(symbol.getFunctionDeclContextName(nullptr, nullptr)),
          taken(symbol.getFunctionBaseName(nullptr, nullptr))};
}

bool is_known(const function_name& name) {
  return name.space == "warpz::warp" || (name.space.empty() && llvm::StringRef(name.base).starts_with("__"));
}

template <class... Parts>
bool has_any(llvm::StringRef name, Parts... parts) {
  return (name.contains(parts) || ...);
}

bool is_operation_of_warps(const function_name& name) {
  const llvm::StringRef base = name.base, space = name.space;
  if (space == "warpz::warp") return true;
  if (space.starts_with("cooperative_groups"))
    return has_any(space, "tile", "coalesced") || has_any(base, "tiled_partition", "coalesced_threads");
  if (!is_known(name)) return false;
  if (base.starts_with("__builtin_amdgcn"))
    return has_any(base, "perm", "lane", "mbcnt", "ballot", "dpp", "swizzle", "wave");
  return is_shuffle(base) || returns_lanes(base) || takes_mask_first(base) || base.starts_with("__any") ||
         base.starts_with("__all") || base == "__lane_id";
}

}  // namespace

const llvm::Value* converted(const llvm::Value* value) {
  while (const auto* const cast = llvm::dyn_cast<llvm::CastInst>(value)) {
    if (!cast->isIntegerCast()) break;
    value = cast->getOperand(0);
  }
  return value;
}

std::string operation_name(const llvm::CallBase& call) {
  const llvm::Function* const callee = call.getCalledFunction();
  if (callee == nullptr) return {};
  const function_name name = name_of(*callee);
  return is_known(name) ? name.base : std::string();
}

bool is_shuffle(llvm::StringRef operation) {
  return operation.starts_with("__shfl") || operation.starts_with("shuffle_") || operation == "broadcast";
}

bool returns_lanes(llvm::StringRef operation) {
  return operation.starts_with("__ballot") || operation.starts_with("__match_a") || operation == "__activemask" ||
         operation == "ballot" || operation == "match_any" || operation == "active_mask";
}

bool takes_mask_first(llvm::StringRef operation) {
  return operation == "__syncwarp" || (operation.starts_with("__") && operation.ends_with("_sync"));
}

bool reads_warp_size(const llvm::Value* value) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(converted(value));
  return load != nullptr && load->getPointerOperand()->stripPointerCasts()->getName() == "_ZN4simt17current_warp_sizeE";
}

bool says_warp(llvm::StringRef name) {
  std::string words;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool begins_word = i > 0 && llvm::isUpper(name[i]) && !llvm::isUpper(name[i - 1]);
    if (begins_word) words += '_';
    words += llvm::toLower(name[i]);
  }
  llvm::SmallVector<llvm::StringRef, 4> parts;
  llvm::StringRef(words).split(parts, '_', -1, false);
  return llvm::any_of(parts, [](llvm::StringRef word) {
    if (word == "wid" || word == "lid") return true;
    const bool is_about_warp = word.consume_front("lane") || word.consume_front("warp") ||
                               word.consume_front("wavefront") || word.consume_front("wave");
    constexpr llvm::StringLiteral ends[] = {"", "s", "id", "ids", "idx", "index", "num", "number"};
    return is_about_warp && llvm::is_contained(ends, word);
  });
}

llvm::DenseSet<const llvm::Function*> functions_about_warps(llvm::ArrayRef<llvm::Function*> functions) {
  llvm::DenseMap<const llvm::Function*, llvm::DenseSet<const llvm::Function*>> callees;
  llvm::DenseMap<const llvm::Function*, bool> is_operation;
  llvm::DenseSet<const llvm::Function*> about;
  for (const llvm::Function* const each : functions) callees[each];
  for (const llvm::Function* const each : functions) {
    if (says_warp(each->getSubprogram()->getName())) about.insert(each);
    for (const llvm::Instruction& instruction : llvm::instructions(*each)) {
      if (reads_warp_size(&instruction)) about.insert(each);
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* const callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (callee == nullptr || callee->isIntrinsic()) continue;
      if (callees.contains(callee)) callees[each].insert(callee);
      const auto [known, is_new] = is_operation.try_emplace(callee);
      if (is_new) known->second = is_operation_of_warps(name_of(*callee));
      if (known->second) about.insert(each);
    }
  }
  // First to those that call them, then to those that these call.
  const auto spread = [&](bool up) {
    for (bool grows = true; grows;) {
      grows = false;
      for (const llvm::Function* const caller : functions) {
        for (const llvm::Function* const callee : callees[caller]) {
          if (about.contains(up ? callee : caller)) grows = about.insert(up ? caller : callee).second || grows;
        }
      }
    }
  };
  spread(true);
  spread(false);
  return about;
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound may be any expression, also one of template parameters: Clang computes it, and notes it as an annotation of
// the kernel. The shared memory is that of the kernel and of the functions that it reaches in the same source.
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "instrument/passes.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace warpz::instrument {
namespace {

/// src/simt/include/hip/detail has these marks, too.
constexpr llvm::StringRef kernel_section = "warpz_kernels", kernel_mark = "warpz_kernel",
                          bounds_mark = "warpz_launch_bounds";

struct launch_limits {
  bool is_kernel = false;
  std::uint64_t threads = 0;
  std::uint64_t static_shared_bytes = 0;
};
using limits_of_functions = std::map<llvm::Function*, launch_limits>;

/// The text of a string that code refers to.
llvm::StringRef text_of(const llvm::Value* pointer) {
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts());
  const auto* const text = variable != nullptr && variable->hasInitializer()
                               ? llvm::dyn_cast<llvm::ConstantDataSequential>(variable->getInitializer())
                               : nullptr;
  return text != nullptr && text->isCString() ? text->getAsCString() : llvm::StringRef();
}

/// The first argument of an annotation; 0 where it has none.
std::uint64_t first_argument(const llvm::Value* arguments) {
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(arguments->stripPointerCasts());
  if (variable == nullptr || !variable->hasInitializer()) return 0;
  const auto* const number =
      llvm::dyn_cast_or_null<llvm::ConstantInt>(variable->getInitializer()->getAggregateElement(0U));
  return number != nullptr ? number->getZExtValue() : 0;
}

void read_annotations(const llvm::Module& module, limits_of_functions& limits) {
  const llvm::GlobalVariable* const list = module.getNamedGlobal("llvm.global.annotations");
  if (list == nullptr || !list->hasInitializer()) return;
  // Each entry: the function, the annotation, its file and line, and its arguments.
  for (const llvm::Use& each : list->getInitializer()->operands()) {
    const auto* const entry = llvm::dyn_cast<llvm::ConstantStruct>(each);
    auto* const function =
        entry != nullptr ? llvm::dyn_cast<llvm::Function>(entry->getOperand(0)->stripPointerCasts()) : nullptr;
    if (function == nullptr) continue;
    const llvm::StringRef mark = text_of(entry->getOperand(1));
    if (mark == kernel_mark) limits[function].is_kernel = true;
    if (mark == bounds_mark && entry->getNumOperands() > 4)
      limits[function].threads = first_argument(entry->getOperand(4));
  }
}

/// The bytes of the __shared__ variables that the function reaches.
std::uint64_t shared_bytes(llvm::Function& kernel) {
  const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
  std::uint64_t bytes = 0;
  std::set<const llvm::Value*> reached;
  std::vector<const llvm::Value*> to_follow;
  const auto reach = [&](const llvm::Value* value) {
    if (value != nullptr && llvm::isa<llvm::Constant>(value) && reached.insert(value).second)
      to_follow.push_back(value);
  };
  reach(&kernel);
  while (!to_follow.empty()) {
    const llvm::Value* const current = to_follow.back();
    to_follow.pop_back();
    if (const auto* const function = llvm::dyn_cast<llvm::Function>(current)) {
      for (const llvm::Instruction& each : llvm::instructions(*function)) {
        for (const llvm::Use& operand : each.operands()) reach(operand);
      }
      continue;
    }
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(current);
    if (variable != nullptr && variable->isThreadLocal() && variable->hasInitializer())
      bytes += layout.getTypeAllocSize(variable->getValueType());
    for (const llvm::Use& operand : llvm::cast<llvm::Constant>(current)->operands()) reach(operand);
  }
  return bytes;
}

void add_check(llvm::Function& kernel, const launch_limits& limits) {
  llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  if (llvm::DISubprogram* const described = kernel.getSubprogram())
    builder.SetCurrentDebugLocation(llvm::DILocation::get(kernel.getContext(), described->getLine(), 0, described));
  const llvm::FunctionCallee callback = kernel.getParent()->getOrInsertFunction(
      "simt_launch_limits", builder.getVoidTy(), builder.getInt64Ty(), builder.getInt64Ty());
  builder.CreateCall(callback, {builder.getInt64(limits.threads), builder.getInt64(limits.static_shared_bytes)});
}

}  // namespace

void make_kernels_visible(llvm::Module& module) {
  for (llvm::Function& each : module) {
    if (each.getSection() != kernel_section || !each.hasInternalLinkage()) continue;
    each.setLinkage(llvm::GlobalValue::ExternalLinkage);
    each.setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
}

void check_launch_limits(llvm::Module& module) {
  limits_of_functions limits;
  read_annotations(module, limits);
  for (llvm::Function& each : module) {
    if (each.getSection() == kernel_section) limits[&each].is_kernel = true;
  }
  for (auto& [function, limit] : limits) {
    if (function->isDeclaration()) continue;
    if (limit.is_kernel) limit.static_shared_bytes = shared_bytes(*function);
    if (limit.threads != 0 || limit.static_shared_bytes != 0) add_check(*function, limit);
  }
}

}  // namespace warpz::instrument

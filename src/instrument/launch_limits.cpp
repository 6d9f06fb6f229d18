// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bound may be any expression, also one of template parameters: Clang computes it, and notes it as an annotation of
// the kernel. The shared memory is that of the kernel and of the functions that it reaches in the same source.
#include <cstdint>
#include <set>
#include <vector>

#include "instrument/annotations.hpp"
#include "instrument/names.hpp"
#include "instrument/passes.hpp"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace warpz::instrument {
namespace {

struct launch_limits {
  std::uint64_t threads = 0;
  std::uint64_t static_shared_bytes = 0;
};

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

void check_launch_limits(llvm::Module& module) {
  // In the order of the source, so that the same source gives the same code.
  llvm::MapVector<llvm::Function*, launch_limits> limits;
  for (const annotation& each : annotations_of(module)) {
    auto* const function = llvm::dyn_cast<llvm::Function>(each.annotated);
    if (function == nullptr || function->isDeclaration()) continue;
    if (each.text == kernel_annotation) limits[function].static_shared_bytes = shared_bytes(*function);
    if (each.text == launch_bounds_annotation) limits[function].threads = first_number(each);
  }
  for (auto& [function, limit] : limits) {
    if (limit.threads != 0 || limit.static_shared_bytes != 0) add_check(*function, limit);
  }
}

}  // namespace warpz::instrument

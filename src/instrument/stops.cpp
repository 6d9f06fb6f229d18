// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/stops.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "llvm/IR/GlobalAlias.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace warpz::instrument {
namespace {

struct stop_function {
  llvm::StringLiteral symbol;  ///< how the name of the machine's function begins
  llvm::StringLiteral held;    ///< while code is optimized
  warpz_stop kind;
};

constexpr stop_function stop_functions[] = {
    {"_ZN4simt6detail18stop_at_collective", "warpz.stop.collective", WARPZ_STOP_COLLECTIVE},
    {"_ZN4simt6detail14stop_at_active", "warpz.stop.active", WARPZ_STOP_ACTIVE},
    {"_ZN4simt6detail15stop_at_barrier", "warpz.stop.barrier", WARPZ_STOP_BARRIER},
    {"_ZN4simt6detail13stop_at_yield", "warpz.stop.yield", WARPZ_STOP_YIELD},
    {"_ZN4simt6detail14stop_at_return", "warpz.stop.return", WARPZ_STOP_RETURN},
};

llvm::Function* defined(llvm::Module& module, const stop_function& wanted) {
  for (llvm::Function& each : module) {
    if (!each.isDeclaration() && each.getName().starts_with(wanted.symbol)) return &each;
  }
  return nullptr;
}

/// The functions that call one of these, which are not those.
std::vector<llvm::Function*> callers_of(const std::vector<llvm::Function*>& called) {
  std::vector<llvm::Function*> callers;
  for (llvm::Function* const each : called) {
    for (llvm::User* const user : each->users()) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call != nullptr && call->getCalledOperand() == each) callers.push_back(call->getFunction());
    }
  }
  return callers;
}

/// Where a function of the kernel's meets other lanes, the kernel can only be cut if it is inlined.
void inline_functions_with_stops(const std::vector<llvm::Function*>& held) {
  constexpr std::size_t most_instructions = 4000;
  std::set<llvm::Function*> known;
  for (std::vector<llvm::Function*> next = callers_of(held); !next.empty(); next = callers_of(next)) {
    std::vector<llvm::Function*> all;
    std::swap(all, next);
    for (llvm::Function* const each : all) {
      if (!known.insert(each).second) continue;
      next.push_back(each);
      const bool is_called_only = std::all_of(each->user_begin(), each->user_end(), [each](const llvm::User* user) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
        return llvm::isa<llvm::GlobalAlias>(user) ||
               (call != nullptr && call->getCalledOperand() == each && call->getFunction() != each);
      });
      if (is_called_only && each->hasLocalLinkage() && !each->hasFnAttribute(llvm::Attribute::NoInline) &&
          !each->hasFnAttribute(llvm::Attribute::OptimizeNone) &&
          each->getInstructionCount() * each->getNumUses() <= most_instructions)
        each->addFnAttr(llvm::Attribute::AlwaysInline);
    }
  }
}

}  // namespace

std::optional<stop_call> as_stop(llvm::Instruction& instruction) {
  auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || call->getCalledFunction() == nullptr) return {};
  const llvm::StringRef name = call->getCalledFunction()->getName();
  if (!name.starts_with("warpz.stop.")) return {};
  const auto operand = [call](unsigned number) { return call->getArgOperand(number); };
  for (const stop_function& each : stop_functions) {
    if (name != each.held) continue;
    switch (each.kind) {
      case WARPZ_STOP_COLLECTIVE:
        return stop_call{call,       each.kind,  operand(0), operand(1), operand(2),
                         operand(3), operand(4), operand(5), operand(6)};
      case WARPZ_STOP_ACTIVE:
        return stop_call{call,       each.kind,  operand(0), nullptr,   operand(1),
                         operand(2), operand(3), operand(4), operand(5)};
      case WARPZ_STOP_BARRIER:
        return stop_call{call, each.kind, operand(0), nullptr, operand(1), nullptr, operand(2), operand(3), operand(4)};
      case WARPZ_STOP_YIELD:
        return stop_call{call, each.kind, nullptr, nullptr, nullptr, nullptr, operand(0), operand(1), operand(2)};
      case WARPZ_STOP_RETURN:
        return stop_call{call, each.kind};
    }
  }
  return {};
}

void hold_stops(llvm::Module& module) {
  std::vector<llvm::Function*> all_held;
  for (const stop_function& each : stop_functions) {
    llvm::Function* const function = defined(module, each);
    if (function == nullptr) continue;
    llvm::Function* const held =
        llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::ExternalLinkage, each.held, module);
    held->setDoesNotThrow();
    held->setConvergent();
    held->addFnAttr(llvm::Attribute::NoMerge);
    function->replaceAllUsesWith(held);
    llvm::appendToCompilerUsed(module, {function});
    all_held.push_back(held);
  }
  inline_functions_with_stops(all_held);
}

void release_stops(llvm::Module& module) {
  for (const stop_function& each : stop_functions) {
    llvm::Function* const held = module.getFunction(each.held);
    if (held == nullptr) continue;
    llvm::Function* const function = defined(module, each);
    std::vector<llvm::CallInst*> calls;
    for (llvm::User* const user : held->users()) calls.push_back(llvm::cast<llvm::CallInst>(user));
    for (llvm::CallInst* const call : calls) {
      call->setCalledFunction(function);
      call->removeFnAttr(llvm::Attribute::NoMerge);
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*call, info);
    }
    held->eraseFromParent();
    llvm::removeFromUsedLists(module, [function](llvm::Constant* used) { return used == function; });
    if (function->use_empty()) function->eraseFromParent();
  }
}

}  // namespace warpz::instrument

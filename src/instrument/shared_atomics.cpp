// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "instrument/passes.hpp"
#include "instrument/region_builder.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace warpz::instrument {
namespace {

bool is_shared(const llvm::Value* address) {
  const llvm::Value* object = llvm::getUnderlyingObject(address);
  if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(object)) {
    if (call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) object = call->getArgOperand(0);
  }
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) return variable->isThreadLocal();
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object);
  return load != nullptr && load->getMetadata(dynamic_shared_memory) != nullptr;
}

}  // namespace

void simplify_shared_atomics(llvm::Module& module) {
  std::vector<llvm::Instruction*> atomics;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& each : llvm::instructions(function)) {
      if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(each) && is_shared(each.getOperand(0)))
        atomics.push_back(&each);
    }
  }
  for (llvm::Instruction* const each : atomics) {
    if (auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(each)) {
      llvm::lowerAtomicRMWInst(change);
    } else {
      llvm::lowerAtomicCmpXchgInst(llvm::cast<llvm::AtomicCmpXchgInst>(each));
    }
  }
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that are no multiple of what their type asks for. Only code that is not optimized yet has the types: later
// a vector of 16 bytes is four numbers of 4, or a copy of bytes. So each copy, and each access that asks for more than
// its own width, gets an assumption there. Those that are left before LLVM drops what it takes for unnecessary, such as
// those of a variable's own address, become calls of the machine.
#include <cstdint>
#include <vector>

#include "instrument/machine_code.hpp"
#include "instrument/passes.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warpz::instrument {
namespace {

/// What an assumption says: "align" where the source does (__builtin_assume_aligned). LLVM drops it where it knows that
/// it is true, and with it that there was an access. An assumption of "alignstack" says nothing of a pointer to LLVM.
/// Its number is the alignment, and one more where the address is written.
constexpr llvm::StringRef align = "align", accessed = "alignstack";
constexpr std::uint64_t written = 1;

/// Whether the pointer is the address of a local variable or of a part of it, or always the same one of another
/// variable, and that is aligned.
bool is_known(const llvm::Value* pointer, llvm::Align alignment, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value* const base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(base);
  const bool is_thread_local =
      intrinsic != nullptr && intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address;
  const llvm::Value* const variable = is_thread_local ? intrinsic->getArgOperand(0) : base;
  return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)) ||
         (llvm::isa<llvm::Constant>(variable) && variable->getPointerAlignment(layout) >= alignment &&
          offset.urem(alignment.value()) == 0);
}

void assume(llvm::Instruction& access, llvm::Value* pointer, llvm::MaybeAlign alignment, bool is_written) {
  if (!alignment || *alignment == llvm::Align(1)) return;
  if (is_known(pointer, *alignment, access.getModule()->getDataLayout())) return;
  llvm::IRBuilder<> builder(&access);
  llvm::Value* const number = builder.getInt64(alignment->value() | (is_written ? written : 0));
  const llvm::OperandBundleDef bundle(accessed.str(), std::vector<llvm::Value*>{pointer, number});
  builder.CreateAssumption(builder.getTrue(), {bundle});
}

void assume_for(llvm::Instruction& access, const llvm::DataLayout& layout) {
  const auto is_for_more = [&layout](llvm::Type* type, llvm::Align alignment) {
    return alignment.value() > layout.getTypeStoreSize(type).getKnownMinValue();
  };
  if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&access)) {
    if (!load->isAtomic() && is_for_more(load->getType(), load->getAlign()))
      assume(access, load->getPointerOperand(), load->getAlign(), false);
  } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
    if (!store->isAtomic() && is_for_more(store->getValueOperand()->getType(), store->getAlign()))
      assume(access, store->getPointerOperand(), store->getAlign(), true);
  } else if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&access)) {
    assume(access, copy->getRawDest(), copy->getDestAlign(), true);
    assume(access, copy->getRawSource(), copy->getSourceAlign(), false);
  }
}

}  // namespace

void assume_alignment(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (is_of_machine(function)) continue;
    for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function)))
      assume_for(each, module.getDataLayout());
  }
}

void check_alignment(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const assumption = llvm::dyn_cast<llvm::AssumeInst>(&each);
      if (assumption == nullptr || !assumption->hasOperandBundles()) continue;
      llvm::IRBuilder<> builder(assumption);
      const llvm::FunctionCallee callback = module.getOrInsertFunction(
          "simt_aligned", builder.getVoidTy(), builder.getPtrTy(), builder.getInt64Ty(), builder.getInt32Ty());
      for (unsigned i = 0; i < assumption->getNumOperandBundles(); ++i) {
        const llvm::OperandBundleUse bundle = assumption->getOperandBundleAt(i);
        const bool is_access = bundle.getTagName() == accessed;
        if ((!is_access && bundle.getTagName() != align) || bundle.Inputs.size() != 2) continue;
        const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(bundle.Inputs[1]);
        if (number == nullptr) continue;
        const std::uint64_t is_written = is_access ? number->getZExtValue() & written : 0;
        const std::uint64_t alignment = number->getZExtValue() - is_written;
        if (!llvm::isPowerOf2_64(alignment)) continue;
        builder.CreateCall(callback, {bundle.Inputs[0], builder.getInt64(alignment),
                                      builder.getInt32(static_cast<std::uint32_t>(is_written))});
      }
      assumption->eraseFromParent();
    }
  }
}

}  // namespace warpz::instrument

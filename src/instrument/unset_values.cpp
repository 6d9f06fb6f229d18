// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang itself fills each variable that is declared without a value with a pattern (-ftrivial-auto-var-init), and marks
// the place. Here each pattern becomes the result of a function that changes nothing, as LLVM knows: the call is
// dropped where the variable is set before it is read. As LLVM does not know the value, the code is the same for all of
// them. Variables of types that lanes cannot exchange keep their pattern.
#include <cstdint>
#include <vector>

#include "instrument/names.hpp"
#include "instrument/passes.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

namespace warpz::instrument {
namespace {

bool sets_pattern(const llvm::Instruction& instruction) {
  const llvm::MDNode* const notes = instruction.getMetadata(llvm::LLVMContext::MD_annotation);
  return notes != nullptr && llvm::any_of(notes->operands(), [](const llvm::MDOperand& each) {
           const auto* const note = llvm::dyn_cast<llvm::MDString>(each);
           return note != nullptr && note->getString() == "auto-init";
         });
}

class value_requests {
 public:
  explicit value_requests(llvm::Module& module)
      : module_(module),
        // Distinguishes the variables from those of other files, wherever these lie.
        first_number_(llvm::MD5Hash(llvm::sys::path::filename(module.getSourceFileName())) << 20) {}

  void replace(llvm::Instruction& pattern) {
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&pattern)) {
      replace_value(*store);
    } else if (auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&pattern)) {
      set->setValue(byte_for(pattern));
    } else if (auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&pattern)) {
      llvm::Value* const byte = byte_for(pattern);
      llvm::IRBuilder<>(copy).CreateMemSet(copy->getDest(), byte, copy->getLength(), copy->getDestAlign(),
                                           copy->isVolatile());
      copy->eraseFromParent();
    }
  }

 private:
  void replace_value(llvm::StoreInst& store) {
    llvm::Type* const type = store.getValueOperand()->getType();
    llvm::IRBuilder<> builder(&store);
    if (type->isPointerTy()) {
      store.setOperand(0, builder.CreateIntToPtr(request(store), type));
      return;
    }
    const unsigned bits = type->getScalarSizeInBits();
    if (type->isVectorTy() || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) return;
    llvm::Value* const number = builder.CreateTrunc(request(store), builder.getIntNTy(bits));
    store.setOperand(0, builder.CreateBitCast(number, type));
  }

  /// All bytes of a larger variable are alike; the highest byte shows most of the value.
  llvm::Value* byte_for(llvm::Instruction& pattern) {
    llvm::Value* const value = request(pattern);
    llvm::IRBuilder<> builder(&pattern);
    return builder.CreateTrunc(builder.CreateLShr(value, 56), builder.getInt8Ty());
  }

  llvm::Value* request(llvm::Instruction& pattern) {
    llvm::IRBuilder<> builder(&pattern);
    llvm::FunctionCallee callback = module_.getOrInsertFunction(unset_value_function, builder.getInt64Ty(),
                                                                builder.getInt64Ty(), builder.getPtrTy());
    auto* const function = llvm::cast<llvm::Function>(callback.getCallee());
    function->setDoesNotThrow();
    function->setWillReturn();
    function->setDoesNotAccessMemory();
    // Merged calls would have no line.
    function->addFnAttr(llvm::Attribute::NoMerge);
    llvm::Value* const no_list = llvm::ConstantPointerNull::get(builder.getPtrTy());
    return builder.CreateCall(callback, {builder.getInt64(first_number_ + number_of(pattern)), no_list});
  }

  /// All parts of a variable have the same place, which no other variable has.
  std::uint64_t number_of(const llvm::Instruction& pattern) {
    const llvm::DILocation* const place = pattern.getDebugLoc();
    if (place == nullptr) return count_++;
    const auto [found, is_new] = numbers_.try_emplace(place, count_);
    count_ += is_new ? 1 : 0;
    return found->second;
  }

  llvm::Module& module_;
  const std::uint64_t first_number_;
  std::uint64_t count_ = 0;
  llvm::DenseMap<const llvm::DILocation*, std::uint64_t> numbers_;
};

}  // namespace

void ask_for_unset_values(llvm::Module& module) {
  value_requests requests(module);
  for (llvm::Function& function : module) {
    std::vector<llvm::Instruction*> patterns;
    for (llvm::Instruction& each : llvm::instructions(function)) {
      if (sets_pattern(each)) patterns.push_back(&each);
    }
    for (llvm::Instruction* const each : patterns) requests.replace(*each);
  }
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An unset variable may make a difference by one value only: `if (state == 77)`. So the machine's function for its
// value (unset_values.cpp) is told of the constants that the value is compared with, for runs with each of them.
#include <algorithm>
#include <vector>

#include "abi/settings.h"
#include "instrument/names.hpp"
#include "instrument/passes.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace warpz::instrument {
namespace {

/// The values for which comparisons with constants may turn out otherwise.
class comparisons {
 public:
  explicit comparisons(const llvm::CallInst& unset) { follow(unset, 0); }

  const std::vector<std::uint64_t>& values() const { return values_; }

 private:
  /// `added`: what has been added to the variable so far.
  void follow(const llvm::Value& value, std::uint64_t added) {
    if (!seen_.insert(&value).second) return;
    for (const llvm::User* const user : value.users()) {
      if (const auto* const compared = llvm::dyn_cast<llvm::CmpInst>(user)) {
        note_comparison(*compared, added);
      } else if (const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(user)) {
        for (const auto& each : choice->cases()) note(bits_of(*each.getCaseValue()) - added);
      } else if (const auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(user)) {
        const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
        if (sum->getOpcode() == llvm::Instruction::Add && number != nullptr) follow(*sum, added + bits_of(*number));
        if (sum->getOpcode() == llvm::Instruction::And && number != nullptr) follow(*sum, added);
      } else if (llvm::isa<llvm::CastInst, llvm::FreezeInst, llvm::PHINode, llvm::SelectInst>(user)) {
        follow(*user, added);
      }
    }
  }

  void note_comparison(const llvm::CmpInst& compared, std::uint64_t added) {
    for (const llvm::Value* const side : compared.operands()) {
      const auto* const real = llvm::dyn_cast<llvm::ConstantFP>(side);
      if (real != nullptr && real->getType()->getPrimitiveSizeInBits() <= 64)
        note(real->getValueAPF().bitcastToAPInt().getZExtValue());
      const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(side);
      if (number == nullptr || number->getBitWidth() > 64) continue;
      const std::uint64_t bits = bits_of(*number) - added;
      note(bits);
      if (llvm::ICmpInst::isEquality(compared.getPredicate())) continue;
      note(bits - 1);
      note(bits + 1);
    }
  }

  static std::uint64_t bits_of(const llvm::ConstantInt& number) {
    return static_cast<std::uint64_t>(number.getValue().sextOrTrunc(64).getSExtValue());
  }

  void note(std::uint64_t value) {
    if (values_.size() < WARPZ_MAX_COMPARED && std::find(values_.begin(), values_.end(), value) == values_.end())
      values_.push_back(value);
  }

  llvm::SmallPtrSet<const llvm::Value*, 16> seen_;
  std::vector<std::uint64_t> values_;
};

/// The number of values, and the values.
llvm::Constant* list_of(llvm::Module& module, const std::vector<std::uint64_t>& values) {
  std::vector<std::uint64_t> list{values.size()};
  list.insert(list.end(), values.begin(), values.end());
  llvm::Constant* const content = llvm::ConstantDataArray::get(module.getContext(), list);
  return new llvm::GlobalVariable(module, content->getType(), true, llvm::GlobalValue::PrivateLinkage, content);
}

}  // namespace

void tell_compared_values(llvm::Module& module) {
  llvm::Function* const callback = module.getFunction(unset_value_function);
  if (callback == nullptr) return;
  for (llvm::User* const user : callback->users()) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr) continue;
    const comparisons found(*call);
    if (!found.values().empty()) call->setArgOperand(1, list_of(module, found.values()));
  }
}

}  // namespace warpz::instrument

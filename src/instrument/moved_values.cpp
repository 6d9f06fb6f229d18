// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/moved_values.hpp"

#include "instrument/machine_code.hpp"
#include "instrument/names.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warpz::instrument {
namespace {

/// Whether the user computes another value from this one, whose token follows from those of its operands.
bool is_computed(const llvm::Instruction& user, const llvm::Use& use) {
  if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(&user)) return select->getCondition() != use.get();
  if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&user))
    return call->doesNotAccessMemory() && !call->getType()->isVoidTy();
  return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::PHINode, llvm::FreezeInst,
                   llvm::ExtractValueInst, llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst>(
             user) ||
         (llvm::isa<llvm::CastInst>(user) && !user.getType()->isPointerTy());
}

/// What is computed from a load's value; empty if more depends on it than what is stored.
llvm::SetVector<const llvm::Value*> values_from(const llvm::LoadInst& load) {
  llvm::SetVector<const llvm::Value*> values;
  values.insert(&load);
  bool reaches_shared = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const llvm::Use& use : values[i]->uses()) {
      const auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store != nullptr && store->getValueOperand() == use.get() && !store->isAtomic() && !store->isVolatile()) {
        reaches_shared = reaches_shared || is_shared(store->getPointerOperand());
      } else if (is_computed(*user, use)) {
        values.insert(user);
      } else if (!is_arithmetic_check(*user)) {
        return {};
      }
    }
  }
  return reaches_shared ? values : llvm::SetVector<const llvm::Value*>();
}

}  // namespace

bool is_shared(const llvm::Value* pointer) {
  for (;;) {
    const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) return variable->isThreadLocal();
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(object);
    const llvm::Function* const called = call != nullptr ? call->getCalledFunction() : nullptr;
    if (called == nullptr) return false;
    if (called->getIntrinsicID() != llvm::Intrinsic::threadlocal_address)
      return called->getName() == dynamic_memory_function;
    pointer = call->getArgOperand(0);
  }
}

moved_values::moved_values(const std::vector<reported_access>& accesses) {
  for (const reported_access& each : accesses) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(each.instruction);
    if (load == nullptr || load->isVolatile() || !is_shared(load->getPointerOperand())) continue;
    const llvm::SetVector<const llvm::Value*> values = values_from(*load);
    if (values.empty()) continue;
    loads_.insert(load);
    for (const llvm::Value* const one : values) values_.insert(one);
  }
}

llvm::Value* moved_values::token_of(llvm::StoreInst& store) {
  llvm::Value* const value = store.getValueOperand();
  return values_.count(value) != 0 ? token_of(value) : nullptr;
}

llvm::Value* moved_values::token_of(llvm::Value* value) {
  if (const auto known = tokens_.find(value); known != tokens_.end()) return known->second;
  if (values_.count(value) == 0) return llvm::ConstantInt::get(llvm::Type::getInt64Ty(value->getContext()), 0);
  return new_token(*llvm::cast<llvm::Instruction>(value));
}

llvm::Value* moved_values::new_token(llvm::Instruction& value) {
  llvm::Type* const type = llvm::Type::getInt64Ty(value.getContext());
  if (auto* const join = llvm::dyn_cast<llvm::PHINode>(&value)) {
    llvm::PHINode* const token = llvm::PHINode::Create(type, join->getNumIncomingValues(), "");
    token->insertBefore(join->getIterator());
    // Known before its operands, which may depend on it.
    tokens_[&value] = token;
    for (unsigned i = 0; i < join->getNumIncomingValues(); ++i)
      token->addIncoming(token_of(join->getIncomingValue(i)), join->getIncomingBlock(i));
    return token;
  }
  llvm::Value* token = nullptr;
  if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&value);
      select != nullptr && !select->getCondition()->getType()->isVectorTy()) {
    llvm::Value *const one = token_of(select->getTrueValue()), *const other = token_of(select->getFalseValue());
    token = llvm::IRBuilder<>(&value).CreateSelect(select->getCondition(), one, other);
  } else {
    for (llvm::Value* const operand : value.operands()) {
      if (values_.count(operand) == 0) continue;
      llvm::Value* const next = token_of(operand);
      token =
          token == nullptr ? next : llvm::IRBuilder<>(&value).CreateBinaryIntrinsic(llvm::Intrinsic::umax, token, next);
    }
  }
  return tokens_[&value] = token;
}

}  // namespace warpz::instrument

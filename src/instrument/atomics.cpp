// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/accesses.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace warpz::instrument {
namespace {

/// Whether the value goes nowhere but to the machine's note of whether the atomic has changed anything.
bool is_only_noted(const llvm::Value& value, unsigned depth = 0) {
  constexpr unsigned max_depth = 8;
  return llvm::all_of(value.users(), [depth](const llvm::User* each) {
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(each)) {
      const llvm::Function* const called = call->getCalledFunction();
      return called != nullptr && called->getName().contains("11note_access");
    }
    return depth != max_depth && llvm::isa<llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(each) &&
           is_only_noted(*each, depth + 1);
  });
}

/// The machine's name for an operation; empty where it has none.
llvm::StringRef name_of(const llvm::AtomicRMWInst& change) {
  switch (change.getOperation()) {
    case llvm::AtomicRMWInst::Xchg:
      // The old value of a word that is only to be set may be any.
      return is_only_noted(change) ? "replace" : "exchange";
    case llvm::AtomicRMWInst::Add:
      return "fetch_add";
    case llvm::AtomicRMWInst::Sub:
      return "fetch_sub";
    case llvm::AtomicRMWInst::And:
      return "fetch_and";
    case llvm::AtomicRMWInst::Or:
      return "fetch_or";
    case llvm::AtomicRMWInst::Xor:
      return "fetch_xor";
    case llvm::AtomicRMWInst::Nand:
      return "fetch_nand";
    default:
      return "";
  }
}

class atomic_replacement {
 public:
  explicit atomic_replacement(llvm::Instruction& atomic)
      : atomic_(atomic), module_(*atomic.getModule()), builder_(&atomic) {}

  void run() {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&atomic_)) {
      replace(load->getType(), "load", {load->getPointerOperand(), order(load->getOrdering())});
    } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&atomic_)) {
      replace_store(*store);
    } else if (auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic_)) {
      const llvm::StringRef name = name_of(*change);
      if (name.empty()) return replace_by_loop(*change);
      replace(change->getType(), name,
              {change->getPointerOperand(), change->getValOperand(), order(change->getOrdering())});
    } else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic_)) {
      replace_exchange(*exchange);
    } else if (auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&atomic_)) {
      const bool is_of_thread = fence->getSyncScopeID() != llvm::SyncScope::SingleThread;
      builder_.CreateCall(
          module_.getOrInsertFunction(is_of_thread ? "__tsan_atomic_thread_fence" : "__tsan_atomic_signal_fence",
                                      builder_.getVoidTy(), builder_.getInt32Ty()),
          order(fence->getOrdering()));
      fence->eraseFromParent();
    }
  }

 private:
  llvm::ConstantInt* order(llvm::AtomicOrdering ordering) {
    return builder_.getInt32(static_cast<std::uint32_t>(llvm::toCABI(ordering)));
  }

  /// The integer of the same width, if the machine has atomics of it.
  llvm::IntegerType* word_for(llvm::Type* type) {
    const std::uint64_t bits = module_.getDataLayout().getTypeSizeInBits(type);
    const bool has_one = bits == 8 || bits == 16 || bits == 32 || bits == 64;
    return has_one && !type->isAggregateType() ? builder_.getIntNTy(static_cast<unsigned>(bits)) : nullptr;
  }

  llvm::Value* as_word(llvm::Value* value, llvm::IntegerType* word) {
    return builder_.CreateBitOrPointerCast(value, word);
  }

  llvm::Value* call(llvm::StringRef name, llvm::IntegerType* word, llvm::Type* result,
                    llvm::MutableArrayRef<llvm::Value*> arguments) {
    llvm::SmallVector<llvm::Type*> types;
    for (llvm::Value*& each : arguments) {
      // Behind the pointer: values, and orders as they are.
      if (&each != arguments.begin() && !llvm::isa<llvm::ConstantInt>(each)) each = as_word(each, word);
      types.push_back(each->getType());
    }
    const std::string callback = ("__tsan_atomic" + llvm::Twine(word->getBitWidth()) + "_" + name).str();
    return builder_.CreateCall(module_.getOrInsertFunction(callback, llvm::FunctionType::get(result, types, false)),
                               arguments);
  }

  void replace(llvm::Type* type, llvm::StringRef name, llvm::SmallVector<llvm::Value*> arguments) {
    llvm::IntegerType* const word = word_for(type);
    if (word == nullptr) return;
    atomic_.replaceAllUsesWith(builder_.CreateBitOrPointerCast(call(name, word, word, arguments), type));
    atomic_.eraseFromParent();
  }

  void replace_store(llvm::StoreInst& store) {
    llvm::IntegerType* const word = word_for(store.getValueOperand()->getType());
    if (word == nullptr) return;
    llvm::SmallVector<llvm::Value*> arguments{store.getPointerOperand(), store.getValueOperand(),
                                              order(store.getOrdering())};
    call("store", word, builder_.getVoidTy(), arguments);
    store.eraseFromParent();
  }

  void replace_exchange(llvm::AtomicCmpXchgInst& exchange) {
    llvm::Type* const type = exchange.getCompareOperand()->getType();
    llvm::IntegerType* const word = word_for(type);
    if (word == nullptr) return;
    llvm::Value* const expected = as_word(exchange.getCompareOperand(), word);
    llvm::SmallVector<llvm::Value*> arguments{exchange.getPointerOperand(), expected, exchange.getNewValOperand(),
                                              order(exchange.getSuccessOrdering()),
                                              order(exchange.getFailureOrdering())};
    llvm::Value* const found = call("compare_exchange_val", word, word, arguments);
    llvm::Value* const is_done = builder_.CreateICmpEQ(found, expected);
    llvm::Value* result = llvm::PoisonValue::get(exchange.getType());
    result = builder_.CreateInsertValue(result, builder_.CreateBitOrPointerCast(found, type), 0);
    exchange.replaceAllUsesWith(builder_.CreateInsertValue(result, is_done, 1));
    exchange.eraseFromParent();
  }

  /// An operation that the machine has no call for, such as a maximum: it computes, and exchanges if nobody has changed
  /// the word meanwhile.
  void replace_by_loop(llvm::AtomicRMWInst& change) {
    llvm::Type* const type = change.getType();
    llvm::IntegerType* const word = word_for(type);
    if (word == nullptr) return;
    llvm::BasicBlock* const before = change.getParent();
    llvm::BasicBlock* const after = before->splitBasicBlock(change.getIterator());
    auto* const loop = llvm::BasicBlock::Create(module_.getContext(), "", before->getParent(), after);
    before->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(before);
    builder_.SetCurrentDebugLocation(change.getDebugLoc());
    // The exchange tells of it.
    llvm::LoadInst* const first = builder_.CreateAlignedLoad(word, change.getPointerOperand(), change.getAlign());
    first->setAtomic(llvm::AtomicOrdering::Monotonic);
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* const expected = builder_.CreatePHI(word, 2);
    llvm::Value* const changed = llvm::buildAtomicRMWValue(
        change.getOperation(), builder_, builder_.CreateBitOrPointerCast(expected, type), change.getValOperand());
    llvm::SmallVector<llvm::Value*> exchange{
        change.getPointerOperand(), expected, changed, order(change.getOrdering()),
        order(llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(change.getOrdering()))};
    llvm::Value* const found = call("compare_exchange_val", word, word, exchange);
    expected->addIncoming(first, before);
    expected->addIncoming(found, loop);
    builder_.CreateCondBr(builder_.CreateICmpEQ(found, expected), after, loop);
    builder_.SetInsertPoint(&change);
    change.replaceAllUsesWith(builder_.CreateBitOrPointerCast(found, type));
    change.eraseFromParent();
  }

  llvm::Instruction& atomic_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

bool is_shared_atomic(const llvm::Instruction& instruction) {
  if (!instruction.isAtomic()) return false;
  const bool is_access = llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction);
  return !is_access || llvm::getAtomicSyncScopeID(&instruction) != llvm::SyncScope::SingleThread;
}

void replace_atomic(llvm::Instruction& atomic) { atomic_replacement(atomic).run(); }

}  // namespace warpz::instrument

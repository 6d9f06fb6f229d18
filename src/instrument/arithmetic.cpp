// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic without a defined result, and indexes of local arrays, which have no place in memory. Clang's own checks
// (-fsanitize=) see it before anything is optimized, but each is a branch, and the passes that look for accesses to one
// address want them in one block. So a check is one call while the code is optimized, and a branch again at its end:
//
//     br %ok, %cont, %handler                            call @simt.arithmetic(%ok, %data, %left, %right, operation)
//     handler: call @__ubsan_handle_...; br %cont   is   br %cont
//
// Of an index, the right operand says whether the element is another part of the same variable.
#include <array>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "instrument/machine_code.hpp"
#include "instrument/names.hpp"
#include "instrument/passes.hpp"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace warpz::instrument {
namespace {

constexpr llvm::StringLiteral callback_name = "simt_undefined_arithmetic";

/// Clang's handlers. The number of each is that of the operation in src/simt/check/arithmetic.cpp.
constexpr std::array<llvm::StringLiteral, 8> handlers{
    "__ubsan_handle_add_overflow",        "__ubsan_handle_sub_overflow",        "__ubsan_handle_mul_overflow",
    "__ubsan_handle_negate_overflow",     "__ubsan_handle_shift_out_of_bounds", "__ubsan_handle_divrem_overflow",
    "__ubsan_handle_float_cast_overflow", "__ubsan_handle_out_of_bounds"};
constexpr unsigned last_overflow = 3, index_of_array = 7, index_bit = 1U << 8;

std::optional<unsigned> operation_of(const llvm::CallInst& call) {
  const llvm::Function* const called = call.getCalledFunction();
  for (unsigned i = 0; called != nullptr && i < handlers.size(); ++i) {
    if (called->getName() == handlers[i]) return i;
  }
  return {};
}

/// It is no access, and need not return: what follows must not say anything of its operands.
llvm::FunctionCallee marker(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> types(context);
  llvm::FunctionCallee found =
      module.getOrInsertFunction(arithmetic_function, types.getVoidTy(), types.getInt1Ty(), types.getPtrTy(),
                                 types.getInt64Ty(), types.getInt64Ty(), types.getInt32Ty());
  auto* const function = llvm::cast<llvm::Function>(found.getCallee());
  function->setDoesNotThrow();
  function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  return found;
}

/// The call in a block that does nothing else but to compute its operands.
llvm::CallInst* handler_in(llvm::BasicBlock& block) {
  llvm::CallInst* found = nullptr;
  for (llvm::Instruction& each : block) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(&each);
    if (call != nullptr && operation_of(*call)) {
      found = call;
    } else if (!llvm::isa<llvm::CastInst>(each) && !llvm::isa<llvm::DbgInfoIntrinsic>(each) && !each.isTerminator()) {
      return nullptr;
    }
  }
  return found;
}

/// The address of an element of a local variable with which the block begins. All other memory is known to the machine,
/// which sees what accesses miss, whatever the type of an array says.
llvm::GetElementPtrInst* local_element_in(llvm::BasicBlock& block) {
  for (llvm::Instruction& each : block) {
    if (llvm::isa<llvm::CastInst>(each) || llvm::isa<llvm::DbgInfoIntrinsic>(each)) continue;
    auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(&each);
    const bool is_local =
        element != nullptr && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(element->getPointerOperand()));
    return is_local ? element : nullptr;
  }
  return nullptr;
}

/// Clang lets `++counts[4]` pass as an address that is not accessed, which may be the array's end.
void forbid_end(llvm::Value& condition, const llvm::GetElementPtrInst& element) {
  const bool is_accessed = llvm::any_of(
      element.users(), [&](const llvm::User* each) { return llvm::getLoadStorePointerOperand(each) == &element; });
  auto* const compared = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  if (is_accessed && compared != nullptr && compared->getPredicate() == llvm::CmpInst::ICMP_ULE)
    compared->setPredicate(llvm::CmpInst::ICMP_ULT);
}

/// Whether the element lies within its variable, as in another row of a matrix: 1 or 0, in front of the element.
llvm::Value* lies_within_variable(llvm::GetElementPtrInst& element) {
  llvm::IRBuilder<> builder(&element);
  const llvm::DataLayout& layout = element.getModule()->getDataLayout();
  llvm::Value* offset = builder.getInt64(0);
  llvm::Value* base = &element;
  while (auto* const part = llvm::dyn_cast<llvm::GEPOperator>(base)) {
    offset = builder.CreateAdd(offset, llvm::emitGEPOffset(&builder, layout, part, true));
    base = part->getPointerOperand()->stripPointerCasts();
  }
  const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(base);
  const std::optional<llvm::TypeSize> size = variable != nullptr ? variable->getAllocationSize(layout) : std::nullopt;
  const std::uint64_t own = layout.getTypeAllocSize(element.getResultElementType());
  if (!size || size->getFixedValue() < own) return builder.getInt64(0);
  return builder.CreateZExt(builder.CreateICmpULE(offset, builder.getInt64(size->getFixedValue() - own)),
                            builder.getInt64Ty());
}

/// Puts a marker in place of the branch to this block.
void flatten(llvm::BasicBlock& block) {
  llvm::CallInst* const handler = handler_in(block);
  llvm::BasicBlock *const before = block.getSinglePredecessor(), *const after = block.getSingleSuccessor();
  if (handler == nullptr || before == nullptr || after == nullptr) return;
  auto* const branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
  if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) != after ||
      branch->getSuccessor(1) != &block || llvm::isa<llvm::PHINode>(after->front()))
    return;
  for (llvm::Instruction& each : llvm::make_early_inc_range(block)) {
    if (llvm::isa<llvm::CastInst>(each)) each.moveBefore(*before, branch->getIterator());
  }
  const unsigned operation = *operation_of(*handler);
  llvm::GetElementPtrInst* const element = operation == index_of_array ? local_element_in(*after) : nullptr;
  if (operation != index_of_array || element != nullptr) {
    llvm::IRBuilder<> builder(element != nullptr ? static_cast<llvm::Instruction*>(element) : branch);
    builder.SetCurrentDebugLocation(handler->getDebugLoc());
    if (element != nullptr) forbid_end(*branch->getCondition(), *element);
    llvm::Value* const right = element != nullptr        ? lies_within_variable(*element)
                               : handler->arg_size() > 2 ? handler->getArgOperand(2)
                                                         : builder.getInt64(0);
    llvm::CallInst* const call = builder.CreateCall(
        marker(*before->getModule()), {branch->getCondition(), handler->getArgOperand(0), handler->getArgOperand(1),
                                       right, builder.getInt32(operation)});
    call->addFnAttr(llvm::Attribute::NoMerge);
  }
  llvm::IRBuilder<>(branch).CreateBr(after);
  branch->eraseFromParent();
  block.dropAllReferences();
  block.eraseFromParent();
  llvm::MergeBlockIntoPredecessor(after);
}

/// A processor stops at such a division, and a GPU goes on with any result.
void keep_from_trapping(llvm::BinaryOperator& division) {
  llvm::Value *const divided = division.getOperand(0), *const divisor = division.getOperand(1);
  if (llvm::isa<llvm::Constant>(divisor) || divisor->getType()->isVectorTy()) return;
  llvm::IRBuilder<> builder(&division);
  llvm::Type* const type = divisor->getType();
  llvm::Value* bad = builder.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
  if (division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem) {
    const auto lowest = llvm::APInt::getSignedMinValue(type->getIntegerBitWidth());
    bad =
        builder.CreateOr(bad, builder.CreateAnd(builder.CreateICmpEQ(divided, llvm::ConstantInt::get(type, lowest)),
                                                builder.CreateICmpEQ(divisor, llvm::ConstantInt::getSigned(type, -1))));
  }
  division.setOperand(1, builder.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor));
}

bool is_division(const llvm::Instruction& each) {
  return each.getOpcode() == llvm::Instruction::SDiv || each.getOpcode() == llvm::Instruction::UDiv ||
         each.getOpcode() == llvm::Instruction::SRem || each.getOpcode() == llvm::Instruction::URem;
}

/// Whether an address is computed from the value, here or in a function that it is passed to or returned to. What is
/// reduced to a range before, as a hash is, is no index yet.
class index_search {
 public:
  bool reaches_address(llvm::Value& value) {
    follow(value);
    while (!to_follow_.empty() && !found_) {
      llvm::Value* const next = to_follow_.back();
      to_follow_.pop_back();
      for (llvm::Use& use : next->uses()) follow_use(use);
    }
    return found_;
  }

 private:
  void follow(llvm::Value& value) {
    if (seen_.insert(&value).second) to_follow_.push_back(&value);
  }

  void follow_use(llvm::Use& use) {
    auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (user == nullptr || is_arithmetic_check(*user)) return;
    if (llvm::isa<llvm::GetElementPtrInst, llvm::IntToPtrInst>(user)) {
      found_ = true;
    } else if (auto* const call = llvm::dyn_cast<llvm::CallBase>(user)) {
      llvm::Function* const called = call->getCalledFunction();
      if (llvm::isa<llvm::IntrinsicInst>(call)) {
        follow(*call);
      } else if (called != nullptr && !called->isDeclaration() && call->isArgOperand(&use)) {
        if (const unsigned number = call->getArgOperandNo(&use); number < called->arg_size())
          follow(*called->getArg(number));
      }
    } else if (llvm::isa<llvm::ReturnInst>(user)) {
      for (llvm::User* const caller : user->getFunction()->users()) {
        if (llvm::isa<llvm::CallBase>(caller)) follow(*caller);
      }
    } else if (llvm::isa<llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::ExtractValueInst>(
                   user) ||
               is_arithmetic(*user)) {
      follow(*user);
    }
  }

  static bool is_arithmetic(const llvm::Instruction& each) {
    switch (each.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl:
      case llvm::Instruction::Or:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::UDiv:
      case llvm::Instruction::AShr:
      case llvm::Instruction::LShr:
        return true;
      default:
        return false;
    }
  }

  std::set<llvm::Value*> seen_;
  std::vector<llvm::Value*> to_follow_;
  bool found_ = false;
};

/// The operation's result: its operands are those of the marker, before they were widened.
bool is_of_index(const llvm::CallInst& mark) {
  const auto operand = [&](unsigned number) -> llvm::Value* {
    llvm::Value* const word = mark.getArgOperand(number);
    auto* const widened = llvm::dyn_cast<llvm::CastInst>(word);
    return widened != nullptr ? widened->getOperand(0) : word;
  };
  llvm::Value *const left = operand(2), *const right = operand(3);
  llvm::Value* const variable = llvm::isa<llvm::Constant>(left) ? right : left;
  if (llvm::isa<llvm::Constant>(variable)) return false;
  for (llvm::User* const each : variable->users()) {
    auto* const user = llvm::dyn_cast<llvm::Instruction>(each);
    const bool is_result = user != nullptr && user->getFunction() == mark.getFunction() &&
                           llvm::isa<llvm::WithOverflowInst, llvm::BinaryOperator>(user);
    if (is_result && index_search().reaches_address(*user)) return true;
  }
  return false;
}

void expand(llvm::CallInst& mark) {
  auto* const ok = llvm::dyn_cast<llvm::ConstantInt>(mark.getArgOperand(0));
  if (!is_checked(*mark.getFunction()) || (ok != nullptr && ok->isOne())) {
    mark.eraseFromParent();
    return;
  }
  llvm::IRBuilder<> builder(&mark);
  auto operation = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(mark.getArgOperand(4))->getZExtValue());
  if (operation <= last_overflow && is_of_index(mark)) operation |= index_bit;
  llvm::Instruction* const then =
      llvm::SplitBlockAndInsertIfThen(builder.CreateNot(mark.getArgOperand(0)), mark.getIterator(), false,
                                      llvm::MDBuilder(mark.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(then);
  builder.SetCurrentDebugLocation(mark.getDebugLoc());
  const llvm::FunctionCallee callback =
      mark.getModule()->getOrInsertFunction(callback_name, builder.getVoidTy(), builder.getPtrTy(),
                                            builder.getInt64Ty(), builder.getInt64Ty(), builder.getInt32Ty());
  llvm::CallInst* const call = builder.CreateCall(
      callback, {mark.getArgOperand(1), mark.getArgOperand(2), mark.getArgOperand(3), builder.getInt32(operation)});
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::NoMerge);
  mark.eraseFromParent();
}

}  // namespace

void flatten_arithmetic_checks(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock& each : function) {
      if (handler_in(each) != nullptr) blocks.push_back(&each);
    }
    for (llvm::BasicBlock* const each : blocks) flatten(*each);
    for (llvm::Instruction& each : llvm::instructions(function)) {
      if (is_division(each)) keep_from_trapping(llvm::cast<llvm::BinaryOperator>(each));
    }
  }
}

void expand_arithmetic_checks(llvm::Module& module) {
  std::vector<llvm::CallInst*> markers;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& each : llvm::instructions(function)) {
      if (is_arithmetic_check(each)) markers.push_back(llvm::cast<llvm::CallInst>(&each));
    }
  }
  for (llvm::CallInst* const each : markers) expand(*each);
  if (llvm::Function* const declared = module.getFunction(arithmetic_function)) declared->eraseFromParent();
}

}  // namespace warpz::instrument

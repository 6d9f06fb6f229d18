// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kind of memory a variable is in. Clang gives variables of the device address spaces of their own, which it has
// for its own tests on any processor (-ffake-address-space-map). Here they get what the machine has instead:
//
//     __shared__ float tile[32];     a block stays on one thread, so this is a variable of the thread
//     extern __shared__ char s[];    the block's dynamic shared memory, by a function of the lane
//     __device__, __constant__       a variable like any other, that the host may write
//
// and all pointers are of the one address space that code for the processor has.
#include <vector>

#include "instrument/machine_code.hpp"
#include "instrument/names.hpp"
#include "instrument/passes.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace warpz::instrument {
namespace {

/// Clang's numbers (FakeAddrSpaceMap in clang/lib/AST/ASTContext.cpp).
constexpr unsigned shared_space = 9;

/// Where an operand is computed: of a phi, at the end of the block that it comes from.
llvm::Instruction* point_before(llvm::Use& use) {
  auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
  const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
  return phi != nullptr ? phi->getIncomingBlock(use)->getTerminator() : user;
}

bool is_pointer_in_space(const llvm::Type* type) { return type->isPointerTy() && type->getPointerAddressSpace() != 0; }

void flatten(llvm::Value& old, llvm::Value& flat);

/// An instruction that takes the pointer as it is, without a cast.
void flatten_instruction(llvm::Use& use, llvm::Value& flat) {
  auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
  llvm::IRBuilder<> builder(point_before(use));
  llvm::Value* replacement = nullptr;
  if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(user);
      load != nullptr && is_pointer_in_space(load->getType())) {
    replacement = builder.CreateAlignedLoad(builder.getPtrTy(), &flat, load->getAlign(), load->isVolatile());
  } else if (auto* const part = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
    const std::vector<llvm::Value*> indices(part->idx_begin(), part->idx_end());
    replacement = builder.CreateGEP(part->getSourceElementType(), &flat, indices, "", part->isInBounds());
  } else if (auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
             call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) {
    replacement = builder.CreateThreadLocalAddress(&flat);
  } else if (llvm::isa<llvm::LoadInst>(user) || (llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == 1)) {
    return use.set(&flat);
  } else {
    return use.set(builder.CreateAddrSpaceCast(&flat, use->getType()));
  }
  flatten(*user, *replacement);
  user->eraseFromParent();
}

/// Replaces a pointer of an address space by one without.
void flatten(llvm::Value& old, llvm::Value& flat) {
  std::vector<llvm::Use*> uses;
  for (llvm::Use& each : old.uses()) uses.push_back(&each);
  for (llvm::Use* const each : uses) {
    llvm::User* const user = each->getUser();
    if (llvm::isa<llvm::AddrSpaceCastOperator>(user) && !is_pointer_in_space(user->getType())) {
      user->replaceAllUsesWith(&flat);
      if (auto* const cast = llvm::dyn_cast<llvm::Instruction>(user)) cast->eraseFromParent();
    } else if (llvm::isa<llvm::Instruction>(user)) {
      flatten_instruction(*each, flat);
    }
  }
  if (auto* const constant = llvm::dyn_cast<llvm::Constant>(&old)) {
    constant->removeDeadConstantUsers();
    if (!old.use_empty()) {
      old.replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(llvm::cast<llvm::Constant>(&flat), old.getType()));
    }
  }
}

/// The variable without an address space.
llvm::GlobalVariable& flat_variable(llvm::GlobalVariable& old) {
  llvm::Type* type = old.getValueType();
  llvm::Constant* value = old.hasInitializer() ? old.getInitializer() : nullptr;
  // A managed variable's address.
  if (is_pointer_in_space(type)) {
    type = llvm::PointerType::getUnqual(type->getContext());
    if (value != nullptr) value = llvm::Constant::getNullValue(type);
  }
  auto* const flat = new llvm::GlobalVariable(*old.getParent(), type, old.isConstant(), old.getLinkage(), value, "",
                                              &old, old.getThreadLocalMode(), 0, old.isExternallyInitialized());
  flat->copyAttributesFrom(&old);
  flat->setComdat(old.getComdat());
  flat->copyMetadata(&old, 0);
  flat->takeName(&old);
  flatten(old, *flat);
  old.eraseFromParent();
  return *flat;
}

/// Nobody but kernels writes there, which an optimizer would take for never.
void make_thread_local(llvm::GlobalVariable& variable) {
  variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
  variable.setThreadLocalMode(llvm::GlobalVariable::GeneralDynamicTLSModel);
  variable.setExternallyInitialized(true);
  llvm::appendToCompilerUsed(*variable.getParent(), {&variable});
}

void replace_by_dynamic_memory(llvm::GlobalVariable& variable) {
  llvm::Module& module = *variable.getParent();
  const llvm::FunctionCallee dynamic_memory =
      module.getOrInsertFunction(dynamic_memory_function, llvm::PointerType::getUnqual(module.getContext()));
  llvm::convertUsersOfConstantsToInstructions({&variable});
  std::vector<llvm::Use*> uses;
  for (llvm::Use& each : variable.uses()) {
    if (llvm::isa<llvm::Instruction>(each.getUser())) uses.push_back(&each);
  }
  for (llvm::Use* const each : uses) {
    llvm::IRBuilder<> builder(point_before(*each));
    each->set(builder.CreateCall(dynamic_memory));
  }
  if (variable.use_empty()) variable.eraseFromParent();
}

}  // namespace

void place_variables(llvm::Module& module) {
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& each : module.globals()) {
    if (each.getAddressSpace() != 0) variables.push_back(&each);
  }
  for (llvm::GlobalVariable* const each : variables) {
    const bool is_shared = each->getAddressSpace() == shared_space;
    llvm::GlobalVariable& variable = flat_variable(*each);
    if (is_shared && variable.isDeclaration()) {
      replace_by_dynamic_memory(variable);
    } else if (is_shared) {
      make_thread_local(variable);
    } else if (is_of_machine(variable)) {
      // A constexpr variable of the headers, for which Clang makes one of the device.
      variable.setExternallyInitialized(false);
    } else if (variable.isExternallyInitialized() || !variable.isConstant()) {
      // The host writes it, also what is __constant__, which newer Clang makes a constant of.
      variable.setConstant(false);
      variable.setExternallyInitialized(!variable.isDeclaration());
    }
  }
}

}  // namespace warpz::instrument

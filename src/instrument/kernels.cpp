// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/kernels.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"

#include <map>
#include <optional>

#include "instrument/annotations.hpp"
#include "instrument/names.hpp"
#include "instrument/types.hpp"

namespace warpz::instrument {
namespace {

/// Where a parameter is kept, and the first instruction for which it is.
struct parameter_place {
  llvm::Value* memory;  ///< a variable, or an argument that is the address of a copy
  bool is_indirect;     ///< the variable holds such an address
  llvm::DIType* type;
  llvm::Instruction* next;
};

/// By their numbers, from 1.
std::map<unsigned, parameter_place> places_of_parameters(llvm::Function& function) {
  std::map<unsigned, parameter_place> places;
  for (llvm::Instruction& each : function.getEntryBlock()) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(each.getDbgRecordRange())) {
      const llvm::DILocalVariable* const variable = record.getVariable();
      if (!record.isDbgDeclare() || variable->getArg() == 0) continue;
      places[variable->getArg()] = {record.getAddress(), record.getExpression()->startsWithDeref(), variable->getType(),
                                    &each};
    }
  }
  return places;
}

/// The argument that the variable holds.
llvm::Argument* held_argument(const llvm::Value& variable) {
  for (const llvm::User* const each : variable.users()) {
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(each);
    if (store != nullptr && store->getPointerOperand() == &variable) {
      return llvm::dyn_cast<llvm::Argument>(const_cast<llvm::Value*>(store->getValueOperand()));
    }
  }
  return nullptr;
}

/// Copies an argument. Single values by a load and a store, which stay what they are when the code is optimized.
void copy_argument(llvm::IRBuilder<>& builder, llvm::AllocaInst& target, llvm::Value* source, std::uint64_t bytes) {
  llvm::Type* const type = target.getAllocatedType();
  if (type->isSingleValueType()) {
    builder.CreateAlignedStore(builder.CreateAlignedLoad(type, source, llvm::Align(1)), &target, target.getAlign());
  } else {
    builder.CreateMemCpy(&target, target.getAlign(), source, llvm::Align(1), bytes);
  }
}

class changed_kernel {
 public:
  changed_kernel(llvm::Function& old, llvm::StringRef name)
      : context_(old.getContext()),
        function_(*llvm::Function::Create(
            llvm::FunctionType::get(llvm::Type::getVoidTy(context_), {llvm::PointerType::getUnqual(context_)}, false),
            old.getLinkage(), old.getAddressSpace(), "", old.getParent())) {
    places_ = places_of_parameters(old);
    function_.copyAttributesFrom(&old);
    // Those of the old arguments.
    function_.setAttributes(llvm::AttributeList::get(context_, llvm::AttributeList::FunctionIndex,
                                                     llvm::AttrBuilder(context_, old.getAttributes().getFnAttrs())));
    function_.addFnAttr(kernel_attribute);
    function_.setComdat(old.getComdat());
    function_.setSubprogram(old.getSubprogram());
    old.setSubprogram(nullptr);
    function_.splice(function_.begin(), &old);
    function_.getArg(0)->setName("arguments");
    std::vector<kernel_parameter> parameters;
    for (const auto& [number, place] : places_) parameters.push_back(take(number, place));
    parameters_ = std::move(parameters);
    for (llvm::Argument& each : old.args()) each.replaceAllUsesWith(llvm::PoisonValue::get(each.getType()));
    old.replaceAllUsesWith(&function_);
    old.eraseFromParent();
    function_.setName(name);
  }

  llvm::Function& function() const { return function_; }
  std::vector<kernel_parameter> parameters() const { return parameters_; }

 private:
  /// Makes the parameter's place hold the argument of this number.
  kernel_parameter take(unsigned number, const parameter_place& place) {
    const llvm::DataLayout& layout = function_.getParent()->getDataLayout();
    llvm::Value* target = place.memory;
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(target);
    std::uint64_t bytes = bytes_of_type(place.type);
    llvm::Argument* copied = variable == nullptr ? llvm::dyn_cast<llvm::Argument>(target)
                             : place.is_indirect ? held_argument(*variable)
                                                 : nullptr;
    if (copied != nullptr) {
      llvm::IRBuilder<> first(&*function_.getEntryBlock().getFirstInsertionPt());
      variable = first.CreateAlloca(llvm::ArrayType::get(first.getInt8Ty(), bytes));
      variable->setAlignment(std::max(copied->getParamAlign().valueOrOne(), llvm::Align(16)));
      copied->replaceAllUsesWith(variable);
    } else if (variable != nullptr) {
      // The last of its stores may be of bytes that the type does not have.
      bytes = std::min<std::uint64_t>(bytes, layout.getTypeAllocSize(variable->getAllocatedType()));
    }
    if (variable == nullptr) llvm::report_fatal_error("warpz: a kernel's parameter is nowhere");
    llvm::IRBuilder<> builder(place.next);
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    llvm::Value* const slot = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), function_.getArg(0), number - 1);
    llvm::LoadInst* const source = builder.CreateLoad(builder.getPtrTy(), slot);
    source->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    copy_argument(builder, *variable, source, bytes);
    return {place.type, bytes};
  }

  llvm::LLVMContext& context_;
  llvm::Function& function_;
  std::map<unsigned, parameter_place> places_;
  std::vector<kernel_parameter> parameters_;
};

}  // namespace

std::string kernel::signature() const {
  std::string text;
  for (const kernel_parameter& each : parameters) text += (text.empty() ? "" : ", ") + name_of_type(each.type);
  return text;
}

std::vector<kernel> change_kernels(llvm::Module& module) {
  std::map<std::string, std::uint64_t> bounds;
  std::vector<std::string> names;
  for (const annotation& each : annotations_of(module)) {
    if (!llvm::isa<llvm::Function>(each.annotated)) continue;
    // The explicit instantiation of a template is annotated twice.
    if (each.text == kernel_annotation && !llvm::is_contained(names, each.annotated->getName()))
      names.push_back(each.annotated->getName().str());
    if (each.text == launch_bounds_annotation) bounds[each.annotated->getName().str()] = first_number(each);
  }
  std::vector<kernel> kernels;
  for (const std::string& name : names) {
    const changed_kernel changed(*module.getFunction(name), name);
    kernels.push_back({&changed.function(), changed.parameters(), bounds[name], nullptr});
  }
  return kernels;
}

void loop_over_blocks(llvm::Function& kernel) {
  llvm::BasicBlock& entry = kernel.getEntryBlock();
  // Variables stay where they are; all else is done anew for each block.
  llvm::BasicBlock::iterator first = entry.begin();
  while (llvm::isa<llvm::AllocaInst>(*first)) ++first;
  llvm::BasicBlock* const block = entry.splitBasicBlock(first, "block");
  const llvm::FunctionCallee next_block =
      kernel.getParent()->getOrInsertFunction(next_block_function, llvm::Type::getVoidTy(kernel.getContext()));
  for (llvm::BasicBlock& each : kernel) {
    auto* const end = llvm::dyn_cast<llvm::ReturnInst>(each.getTerminator());
    if (end == nullptr) continue;
    llvm::IRBuilder<> builder(end);
    builder.CreateCall(next_block);
    builder.CreateBr(block);
    end->eraseFromParent();
  }
}

}  // namespace warpz::instrument

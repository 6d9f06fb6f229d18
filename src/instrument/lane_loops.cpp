// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/lane_loops.hpp"

#include "abi/lane_loops.h"
#include "instrument/kernels.hpp"
#include "instrument/lane_regions.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace warpz::instrument {
namespace {

constexpr llvm::StringLiteral suffix = ".lane_loops";

void add_features(llvm::Function& function, llvm::StringRef features) {
  const llvm::StringRef others = function.getFnAttribute("target-features").getValueAsString();
  function.addFnAttr("target-features", (others + (others.empty() ? "" : ",") + features).str());
}

/// Has a region use AVX2. Returns a copy that uses AVX-512, whose masks spare loops their branches; null for other
/// processors than x86's.
llvm::Function* with_wider_vectors(llvm::Function& region) {
  if (!llvm::Triple(region.getParent()->getTargetTriple()).isX86()) return nullptr;
  add_features(region, "+avx2,+bmi,+bmi2,+lzcnt,+popcnt");
  llvm::ValueToValueMapTy copies;
  llvm::Function* const wider = llvm::CloneFunction(&region, copies);
  add_features(*wider, "+avx512f,+avx512bw,+avx512dq,+avx512vl");
  return wider;
}

class table {
 public:
  explicit table(llvm::Module& module) : module_(module), context_(module.getContext()) {}

  llvm::Constant* number(std::uint64_t value, unsigned bits) {
    return llvm::ConstantInt::get(llvm::IntegerType::get(context_, bits), value);
  }
  llvm::Constant* null() { return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context_)); }
  llvm::Constant* or_null(llvm::Value* value) { return value == nullptr ? null() : llvm::cast<llvm::Constant>(value); }
  llvm::Constant* text(llvm::StringRef letters) {
    return variable(llvm::ConstantDataArray::getString(context_, letters));
  }
  llvm::Constant* variable(llvm::Constant* value) {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value);
  }

  /// As struct warpz_lane_region has it.
  llvm::Constant* region(const lane_region& built, const stop_call* before) {
    const stop_call none{nullptr, WARPZ_STOP_RETURN};
    const stop_call& stop = before != nullptr ? *before : none;
    const bool is_barrier = stop.kind == WARPZ_STOP_BARRIER;
    const auto* const named = llvm::dyn_cast_or_null<llvm::ConstantInt>(stop.named);
    return llvm::ConstantStruct::getAnon(
        context_,
        {built.function, or_null(with_wider_vectors(*built.function)),
         number(static_cast<std::uint32_t>(built.only_stop), 32), number(built.tells_lane ? 1 : 0, 32),
         number(stop.kind, 32), number(is_barrier ? llvm::cast<llvm::ConstantInt>(stop.op)->getZExtValue() : 0, 32),
         is_barrier ? null() : or_null(stop.op), number(named != nullptr ? named->getZExtValue() : 0, 64),
         or_null(stop.operation), or_null(stop.file),
         stop.line_source_and_type != nullptr ? or_null(stop.line_source_and_type) : number(0, 64)});
  }

 private:
  llvm::Module& module_;
  llvm::LLVMContext& context_;
};

llvm::Constant* loops_of(llvm::Function& kernel) {
  table all(*kernel.getParent());
  llvm::LLVMContext& context = kernel.getContext();
  llvm::ValueToValueMapTy copies;
  llvm::Function* const copy = llvm::CloneFunction(&kernel, copies);
  cut_kernel cut(*copy, kernel.getName());
  llvm::Constant* regions = all.null();
  if (cut.obstacle() == nullptr) {
    std::vector<llvm::Constant*> records;
    for (const lane_region& each : cut.regions()) {
      records.push_back(all.region(each, records.empty() ? nullptr : &cut.stops()[records.size() - 1]));
    }
    regions = all.variable(
        llvm::ConstantArray::get(llvm::ArrayType::get(records.front()->getType(), records.size()), records));
  }
  llvm::Constant* const result = llvm::ConstantStruct::getAnon(
      context,
      {regions, cut.obstacle() != nullptr ? all.text(cut.obstacle()) : all.null(), all.number(cut.frame_bytes(), 64),
       all.number(cut.is_of_block() ? 1 : 0, 64), all.number(cut.yields() ? 1 : 0, 64)});
  copy->eraseFromParent();
  return result;
}

/// An address that the code generator cannot compute again.
llvm::Value* kept(llvm::GlobalVariable& variable, llvm::IRBuilder<>& builder) {
  llvm::Type* const pointer = builder.getPtrTy();
  llvm::InlineAsm* const nothing =
      llvm::InlineAsm::get(llvm::FunctionType::get(pointer, {pointer}, false), "", "=r,0", false);
  return builder.CreateCall(nothing, {builder.CreateThreadLocalAddress(&variable)});
}

void keep_address(llvm::GlobalVariable& variable, llvm::Function& region) {
  llvm::Constant* const constants[] = {&variable};
  llvm::convertUsersOfConstantsToInstructions(constants, &region, false);
  std::vector<llvm::Use*> uses;
  for (llvm::Use& each : variable.uses()) {
    const auto* const user = llvm::dyn_cast<llvm::Instruction>(each.getUser());
    if (user != nullptr && user->getFunction() == &region) uses.push_back(&each);
  }
  if (uses.empty()) return;
  llvm::IRBuilder<> builder(&*region.getEntryBlock().getFirstInsertionPt());
  llvm::Value* const once = kept(variable, builder);
  for (llvm::Use* const each : uses) {
    auto* const question = llvm::dyn_cast<llvm::IntrinsicInst>(each->getUser());
    if (question != nullptr && question->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) {
      question->replaceAllUsesWith(once);
      question->eraseFromParent();
    } else {
      each->set(once);
    }
  }
}

}  // namespace

llvm::GlobalVariable* declare_lane_loops(llvm::Function& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::Type* const pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* const word = llvm::Type::getInt64Ty(context);
  auto* const type = llvm::StructType::get(context, {pointer, pointer, word, word});
  auto* const variable = new llvm::GlobalVariable(*kernel.getParent(), type, true, llvm::GlobalValue::InternalLinkage,
                                                  llvm::Constant::getNullValue(type), kernel.getName() + suffix);
  return variable;
}

void add_lane_loops(llvm::Module& module) {
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& each : module) {
    if (each.hasFnAttribute(kernel_attribute) && !each.isDeclaration()) kernels.push_back(&each);
  }
  for (llvm::Function* const each : kernels) {
    llvm::GlobalVariable* const variable = module.getNamedGlobal((each->getName() + suffix).str());
    if (variable != nullptr) variable->setInitializer(loops_of(*each));
  }
}

void keep_addresses(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    // The machine's own are found without a call.
    if (!variable.isThreadLocal() || variable.getThreadLocalMode() == llvm::GlobalValue::InitialExecTLSModel) continue;
    for (llvm::Function& each : module) {
      if (each.hasFnAttribute(region_attribute)) keep_address(variable, each);
    }
  }
}

}  // namespace warpz::instrument

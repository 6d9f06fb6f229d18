// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/accesses.hpp"

#include <algorithm>
#include <optional>

#include "instrument/kernels.hpp"
#include "instrument/machine_code.hpp"
#include "instrument/moved_values.hpp"
#include "instrument/passes.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace warpz::instrument {
namespace {

bool may_be_captured(const llvm::AllocaInst* variable) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::PointerMayBeCaptured(variable, true);
#else
  return llvm::PointerMayBeCaptured(variable, true, true);
#endif
}

std::uint64_t bytes_of(const llvm::Instruction& access) {
  const llvm::DataLayout& layout = access.getModule()->getDataLayout();
  const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&access);
  const llvm::Value& moved = store != nullptr ? *store->getValueOperand() : access;
  return layout.getTypeStoreSize(moved.getType()).getKnownMinValue();
}

/// Whether the bytes are those of one local variable, which is on the running lane's own stack: that is never checked.
bool is_within_variable(const llvm::Value* pointer, std::uint64_t bytes, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const auto* const variable =
      llvm::dyn_cast<llvm::AllocaInst>(pointer->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (variable == nullptr) return false;
  const std::optional<llvm::TypeSize> size = variable->getAllocationSize(layout);
  return size && !size->isScalable() && (offset + bytes).ule(size->getFixedValue()) && offset.isNonNegative();
}

bool is_of_virtual_table(const llvm::Instruction& access) {
  const llvm::MDNode* const tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  return tag != nullptr && tag->isTBAAVtableAccess();
}

bool is_constant_data(const llvm::Value* pointer) {
  if (const auto* const part = llvm::dyn_cast<llvm::GEPOperator>(pointer)) pointer = part->getPointerOperand();
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) return variable->isConstant();
  const auto* const table = llvm::dyn_cast<llvm::LoadInst>(pointer);
  return table != nullptr && is_of_virtual_table(*table);
}

/// Whether the pointer leads to a kernel's arguments, which the machine keeps.
bool is_of_arguments(const llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer);
  // One of several: its address is in an array.
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object)) {
    object = llvm::getUnderlyingObject(load->getPointerOperand());
  }
  const auto* const argument = llvm::dyn_cast<llvm::Argument>(object);
  return argument != nullptr && argument->getParent()->hasFnAttribute(kernel_attribute);
}

bool is_thread_local_address(const llvm::Value& value) {
  const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&value);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address;
}

/// The name of the variable that the pointer leads to; empty: it is not known.
llvm::StringRef variable_of(const llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer);
  if (is_thread_local_address(*object)) object = llvm::cast<llvm::IntrinsicInst>(object)->getArgOperand(0);
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
  return variable != nullptr ? variable->getName() : llvm::StringRef();
}

/// Whether it leads to blockDim, gridDim or warpSize.
bool is_of_launch(const llvm::Value* pointer) {
  const llvm::StringRef name = variable_of(pointer);
  return name == "blockDim" || name == "gridDim" || name.contains("current_warp_size");
}

/// Whether it leads to what the machine tells a lane. That is the machine's own memory, which is never checked.
bool is_of_coordinates(const llvm::Value* pointer) {
  const llvm::StringRef name = variable_of(pointer);
  return is_of_launch(pointer) || name == "blockIdx" || name == "threadIdx";
}

/// Among whom a value is the same, on any data.
enum class sameness { none, block, launch };

/// Of a launch: what is made of constants, of the launch's shape and of the kernel's arguments. Of a block besides:
/// what is made of the block's number, and what lies at an address that is the same for the block.
/// Looks at no more than so many values: an expression may use each part of it twice.
sameness sameness_of(const llvm::Value* value, unsigned& most) {
  if (llvm::isa<llvm::Constant>(value)) return sameness::launch;
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || most == 0) return sameness::none;
  --most;
  sameness least = sameness::launch;
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
    const llvm::Value* const pointer = load->getPointerOperand();
    if (is_of_arguments(pointer) || is_of_launch(pointer)) return sameness::launch;
    if (variable_of(pointer) == "blockIdx") return sameness::block;
    if (!load->isSimple() || is_of_coordinates(pointer)) return sameness::none;
    least = sameness::block;
  } else if (is_thread_local_address(*instruction)) {
    return sameness::block;
  } else if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                        llvm::GetElementPtrInst>(*instruction)) {
    return sameness::none;
  }
  for (const llvm::Use& each : instruction->operands()) {
    least = std::min(least, sameness_of(each, most));
    if (least == sameness::none) break;
  }
  return least;
}

sameness sameness_of_stored(const llvm::StoreInst& store) {
  unsigned most = 128;
  return sameness_of(store.getValueOperand(), most);
}

/// A reader of the source takes accesses of two lines for two.
bool is_of_one_line(const llvm::Instruction& a, const llvm::Instruction& b) {
  const llvm::DebugLoc &one = a.getDebugLoc(), &other = b.getDebugLoc();
  return !one || !other || one.getLine() == other.getLine();
}

class access_search {
 public:
  explicit access_search(llvm::Function& function) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& each : block) {
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(each)) {
          if (!is_shared_atomic(each)) since_call_.push_back(&each);
        } else if (llvm::isa<llvm::CallBase>(each) && !is_no_call(each)) {
          choose();
        }
      }
      choose();
    }
  }

  std::vector<reported_access> result() { return std::move(found_); }

 private:
  static bool is_no_call(const llvm::Instruction& call) {
    if (is_arithmetic_check(call)) return true;
    const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
    return intrinsic != nullptr && (llvm::isa<llvm::DbgInfoIntrinsic, llvm::WithOverflowInst>(intrinsic) ||
                                    intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address);
  }

  /// Chooses among the accesses between two calls. From the last on: a store stands for the load before it at the same
  /// address.
  void choose() {
    llvm::DenseMap<const llvm::Value*, std::size_t> stores;
    for (llvm::Instruction* const each : llvm::reverse(since_call_)) {
      const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(each);
      const bool is_load = llvm::isa<llvm::LoadInst>(each);
      if (const auto store = stores.find(pointer);
          is_load && store != stores.end() && is_of_one_line(*each, *found_[store->second].instruction)) {
        found_[store->second].also_reads = true;
        found_[store->second].first = each;
        continue;
      }
      if (is_of_arguments(pointer) || is_of_virtual_table(*each) ||
          (is_load && (is_constant_data(pointer) || is_of_coordinates(pointer))) || is_unseen(pointer) ||
          is_within_variable(pointer, bytes_of(*each), each->getModule()->getDataLayout()))
        continue;
      if (!is_load) stores[pointer] = found_.size();
      found_.push_back({each, each});
    }
    since_call_.clear();
  }

  /// Whether nobody but the function knows the address.
  bool is_unseen(const llvm::Value* pointer) {
    const llvm::AllocaInst* const variable = llvm::findAllocaForValue(pointer);
    if (variable == nullptr) return false;
    const auto [known, is_new] = captured_.try_emplace(variable, false);
    if (is_new) known->second = may_be_captured(variable);
    return !known->second;
  }

  std::vector<llvm::Instruction*> since_call_;
  std::vector<reported_access> found_;
  llvm::DenseMap<const llvm::AllocaInst*, bool> captured_;
};

class access_reports {
 public:
  explicit access_reports(llvm::Module& module) : module_(module), layout_(module.getDataLayout()) {}

  void add_to(llvm::Function& function) {
    const std::vector<reported_access> accesses = reported_accesses(function);
    moved_values moved(accesses);
    // Loads first: stores ask for what became of them.
    for (const reported_access& each : accesses) {
      if (moved.is_moved(*each.instruction)) report_moved_load(llvm::cast<llvm::LoadInst>(*each.instruction), moved);
    }
    for (const reported_access& each : accesses) {
      if (moved.is_moved(*each.instruction)) continue;
      auto* const store = llvm::dyn_cast<llvm::StoreInst>(each.instruction);
      llvm::Value* const token = store != nullptr ? moved.token_of(*store) : nullptr;
      if (token != nullptr && !each.also_reads && is_shared(store->getPointerOperand())) {
        report_moved_store(*store, *token);
      } else {
        if (token != nullptr) report_use(*store, *token);
        report(each);
      }
    }
    std::vector<llvm::Instruction*> atomics;
    std::vector<llvm::IntrinsicInst*> masked;
    for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (is_shared_atomic(each)) {
        atomics.push_back(&each);
      } else if (auto* const block = llvm::dyn_cast<llvm::MemIntrinsic>(&each)) {
        const auto* const transfer = llvm::dyn_cast<llvm::MemTransferInst>(block);
        if (transfer == nullptr || !is_of_arguments(transfer->getRawSource())) replace_block(*block);
      } else if (auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&each);
                 intrinsic != nullptr && is_masked(*intrinsic)) {
        masked.push_back(intrinsic);
      } else if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&each)) {
        report_copied_arguments(*call);
      }
    }
    for (llvm::Instruction* const each : atomics) replace_atomic(*each);
    for (llvm::IntrinsicInst* const each : masked) report_masked(*each);
  }

 private:
  /// As the machine's functions for accesses of one size have it.
  static constexpr std::uint64_t max_alignment = 8;

  void report(const reported_access& access) {
    llvm::Instruction& instruction = *access.instruction;
    const std::uint64_t bytes = bytes_of(instruction);
    llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
    const bool is_load = llvm::isa<llvm::LoadInst>(instruction);
    const bool has_callback = bytes != 0 && bytes <= 16 && llvm::isPowerOf2_64(bytes);
    if (!has_callback || pointer->getType()->getPointerAddressSpace() != 0) {
      if (is_load || access.also_reads) report_range("__tsan_read_range", instruction, pointer, bytes);
      if (!is_load) report_range("__tsan_write_range", instruction, pointer, bytes);
      return;
    }
    const std::uint64_t alignment = llvm::getLoadStoreAlignment(&instruction).value();
    const bool is_aligned = alignment >= 8 || alignment % bytes == 0;
    const llvm::StringRef kind = is_load ? "read" : access.also_reads ? "read_write" : "write";
    // What a load must not touch would end the kernel before its store is checked.
    llvm::IRBuilder<> builder(access.first);
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    const sameness same =
        is_load || access.also_reads ? sameness::none : sameness_of_stored(llvm::cast<llvm::StoreInst>(instruction));
    if (same != sameness::none) {
      llvm::Type* const word = builder.getInt64Ty();
      const llvm::StringRef name = same == sameness::launch ? "simt_write_constant" : "simt_write_block_constant";
      builder.CreateCall(
          callback(name, builder.getVoidTy(), {builder.getPtrTy(), word, word}),
          {pointer, builder.getInt64(bytes), builder.getInt64(is_aligned ? std::min(bytes, max_alignment) : 1)});
      return;
    }
    builder.CreateCall(callback("__tsan_" + llvm::Twine(is_aligned ? "" : "unaligned_") + kind + llvm::Twine(bytes),
                                builder.getVoidTy(), {builder.getPtrTy()}),
                       pointer);
  }

  /// As the machine's functions for accesses of one size have it.
  std::uint64_t checked_alignment(llvm::Instruction& access) const {
    return std::min<std::uint64_t>(llvm::getLoadStoreAlignment(&access).value(), 8);
  }

  void report_moved_load(llvm::LoadInst& load, moved_values& moved) {
    llvm::IRBuilder<> builder(&load);
    llvm::Type* const word = builder.getInt64Ty();
    const llvm::FunctionCallee called = callback("simt_read_moved", word, {builder.getPtrTy(), word, word});
    moved.set_token(load, *builder.CreateCall(called, {load.getPointerOperand(), builder.getInt64(bytes_of(load)),
                                                       builder.getInt64(checked_alignment(load))}));
  }

  void report_moved_store(llvm::StoreInst& store, llvm::Value& token) {
    llvm::IRBuilder<> builder(&store);
    llvm::Type* const word = builder.getInt64Ty();
    const llvm::FunctionCallee called =
        callback("simt_write_moved", builder.getVoidTy(), {builder.getPtrTy(), word, word, word, word});
    const bool is_same_in_block = sameness_of_stored(store) != sameness::none;
    builder.CreateCall(called,
                       {store.getPointerOperand(), builder.getInt64(bytes_of(store)),
                        builder.getInt64(checked_alignment(store)), &token, builder.getInt64(is_same_in_block)});
  }

  /// Something depends on what is stored: it leaves the block.
  void report_use(llvm::StoreInst& store, llvm::Value& token) {
    llvm::IRBuilder<> builder(&store);
    builder.CreateCall(callback("simt_use_moved", builder.getVoidTy(), {builder.getInt64Ty()}), {&token});
  }

  void report_range(llvm::StringRef name, llvm::Instruction& before, llvm::Value* pointer, std::uint64_t bytes) {
    llvm::IRBuilder<> builder(&before);
    builder.CreateCall(callback(name, builder.getVoidTy(), {builder.getPtrTy(), builder.getInt64Ty()}),
                       {builder.CreateAddrSpaceCast(pointer, builder.getPtrTy()), builder.getInt64(bytes)});
  }

  void replace_block(llvm::MemIntrinsic& block) {
    llvm::IRBuilder<> builder(&block);
    llvm::Type* const pointer = builder.getPtrTy();
    llvm::Value* const size = builder.CreateZExtOrTrunc(block.getLength(), builder.getInt64Ty());
    llvm::Value* const target = builder.CreateAddrSpaceCast(block.getRawDest(), pointer);
    if (auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&block)) {
      const llvm::StringRef name = llvm::isa<llvm::Constant>(set->getValue()) ? "simt_set_constant" : "__tsan_memset";
      builder.CreateCall(callback(name, pointer, {pointer, builder.getInt32Ty(), builder.getInt64Ty()}),
                         {target, builder.CreateZExt(set->getValue(), builder.getInt32Ty()), size});
    } else {
      auto& transfer = llvm::cast<llvm::MemTransferInst>(block);
      const llvm::StringRef name = llvm::isa<llvm::MemMoveInst>(block) ? "__tsan_memmove" : "__tsan_memcpy";
      builder.CreateCall(callback(name, pointer, {pointer, pointer, builder.getInt64Ty()}),
                         {target, builder.CreateAddrSpaceCast(transfer.getRawSource(), pointer), size});
    }
    block.eraseFromParent();
  }

  static bool is_masked(const llvm::IntrinsicInst& intrinsic) {
    switch (intrinsic.getIntrinsicID()) {
      case llvm::Intrinsic::masked_load:
      case llvm::Intrinsic::masked_store:
      case llvm::Intrinsic::masked_gather:
      case llvm::Intrinsic::masked_scatter:
        return true;
      default:
        return false;
    }
  }

  /// Each element of the vector that the mask names is an access.
  void report_masked(llvm::IntrinsicInst& access) {
    const bool is_load = !access.getType()->isVoidTy();
    auto* const vector =
        llvm::dyn_cast<llvm::FixedVectorType>(is_load ? access.getType() : access.getArgOperand(0)->getType());
    if (vector == nullptr) return;
    // Behind what is stored is the address, and the mask somewhere behind that, by LLVM's version.
    const unsigned place = is_load ? 0 : 1;
    llvm::Value* const address = access.getArgOperand(place);
    llvm::Value* const mask = *std::find_if(
        access.arg_begin() + place + 1, access.arg_end(),
        [](const llvm::Use& each) { return each->getType()->isVectorTy() && each->getType()->isIntOrIntVectorTy(1); });
    const std::uint64_t bytes = layout_.getTypeStoreSize(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::IRBuilder<> builder(&access);
      llvm::Value* const is_named = builder.CreateExtractElement(mask, i);
      llvm::Value* const element = address->getType()->isVectorTy()
                                       ? builder.CreateExtractElement(address, i)
                                       : builder.CreateConstGEP1_64(vector->getElementType(), address, i);
      llvm::Instruction* const then = llvm::SplitBlockAndInsertIfThen(is_named, &access, false);
      then->setDebugLoc(access.getDebugLoc());
      report_range(is_load ? "__tsan_read_range" : "__tsan_write_range", *then, element, bytes);
    }
  }

  /// The caller copies what a `byval` argument points to. And calls of memcpy and its like may be no intrinsics:
  /// -fno-builtin.
  void report_copied_arguments(llvm::CallBase& call) {
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      llvm::Type* const copied = call.isByValArgument(i) ? call.getParamByValType(i) : nullptr;
      const std::uint64_t bytes = copied != nullptr ? layout_.getTypeAllocSize(copied).getKnownMinValue() : 0;
      if (bytes != 0 && !is_within_variable(call.getArgOperand(i), bytes, layout_))
        report_range("__tsan_read_range", call, call.getArgOperand(i), bytes);
    }
    const llvm::Function* const called = call.getCalledFunction();
    if (called == nullptr || !called->isDeclaration()) return;
    for (const llvm::StringRef name : {"memcpy", "memmove", "memset"}) {
      if (called->getName() != name) continue;
      call.setCalledFunction(module_.getOrInsertFunction(("__tsan_" + name).str(), called->getFunctionType()));
    }
  }

  llvm::FunctionCallee callback(const llvm::Twine& name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
    llvm::FunctionCallee found =
        module_.getOrInsertFunction(name.str(), llvm::FunctionType::get(result, parameters, false));
    if (auto* const function = llvm::dyn_cast<llvm::Function>(found.getCallee())) function->setDoesNotThrow();
    return found;
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
};

}  // namespace

std::vector<reported_access> reported_accesses(llvm::Function& function) { return access_search(function).result(); }

void report_accesses(llvm::Module& module) {
  access_reports reports(module);
  for (llvm::Function& each : module) {
    if (is_checked(each)) reports.add_to(each);
  }
  llvm::getOrCreateSanitizerCtorAndInitFunctions(module, "simt.module_ctor", "__tsan_init", {}, {},
                                                 [&module](llvm::Function* constructor, llvm::FunctionCallee) {
                                                   llvm::appendToGlobalCtors(module, constructor, 0);
                                                 });
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that are no multiple of what their type asks for. Only code that is not optimized yet has the types: later
// a vector of 16 bytes is four numbers of 4, or a copy of bytes. So each copy, and each access that asks for more than
// its own width, gets an assumption there. Those that are left before LLVM drops what it takes for unnecessary, such as
// those of a variable's own address, become calls of the machine.
#include <cstdint>
#include <vector>

#include "instrument/machine_code.hpp"
#include "instrument/names.hpp"
#include "instrument/passes.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
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

/// Whether the pointer leads into a variable that has a name, and is not a lane's own: Clang knows how that is aligned,
/// and takes an access to a part of it by another type for one that need not be aligned any better.
bool is_of_named(const llvm::Value* pointer) {
  const llvm::Value* base = llvm::getUnderlyingObject(pointer);
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(base);
  if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) base = call->getArgOperand(0);
  const bool is_dynamic = call != nullptr && call->getCalledFunction() != nullptr &&
                          call->getCalledFunction()->getName() == dynamic_memory_function;
  return is_dynamic || llvm::isa<llvm::GlobalVariable>(base);
}

/// What the access asks for by its type, where Clang has left that away; nothing: it has not, or it is not known. A
/// member of a packed struct is one of another type by what is said of aliases.
llvm::MaybeAlign alignment_by_type(const llvm::Instruction& access, llvm::Type* type, llvm::Align known,
                                   const llvm::Value* pointer, const llvm::DataLayout& layout) {
  const llvm::MDNode* const aliases = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  const llvm::Align natural = layout.getABITypeAlign(type);
  const bool is_whole =
      aliases != nullptr && aliases->getNumOperands() >= 2 && aliases->getOperand(0) == aliases->getOperand(1);
  if (!is_whole || known >= natural || layout.getTypeStoreSize(type).getKnownMinValue() != natural.value()) return {};
  return is_of_named(pointer) ? llvm::MaybeAlign(natural) : llvm::MaybeAlign();
}

/// Whether a variable of the source has been aligned better than its type.
bool is_aligned_itself(const llvm::AllocaInst& variable) {
  bool found = false;
  for (llvm::DbgVariableRecord* const each : llvm::findDVRDeclares(const_cast<llvm::AllocaInst*>(&variable)))
    found = found || each->getVariable()->getAlignInBits() != 0;
  return found;
}

/// The same of one side of a struct's copy: what the local variable on the other side is aligned to. A memcpy in the
/// source is a call of the machine's own function, and none of these.
llvm::MaybeAlign alignment_by_variable(const llvm::MemTransferInst& copy, const llvm::Value* pointer,
                                       llvm::MaybeAlign known, const llvm::Value* other,
                                       const llvm::DataLayout& layout) {
  const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(other);
  const auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (variable == nullptr || bytes == nullptr || !variable->getAllocatedType()->isStructTy()) return {};
  const bool is_whole = layout.getTypeAllocSize(variable->getAllocatedType()) == bytes->getZExtValue();
  if (!is_whole || known.valueOrOne() >= variable->getAlign() || !is_of_named(pointer)) return {};
  return is_aligned_itself(*variable) ? llvm::MaybeAlign() : llvm::MaybeAlign(variable->getAlign());
}

/// Whether the source has a name for a type that need not be aligned: `typedef int part __attribute__((aligned(1)))`.
bool has_unaligned_names(const llvm::Module& module) {
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  return llvm::any_of(finder.types(), [](const llvm::DIType* type) {
    const auto* const named = llvm::dyn_cast<llvm::DIDerivedType>(type);
    return named != nullptr && named->getTag() == llvm::dwarf::DW_TAG_typedef && named->getAlignInBits() != 0 &&
           named->getBaseType() != nullptr && named->getAlignInBits() < named->getBaseType()->getSizeInBits();
  });
}

/// Accesses of whose type Clang has not kept the alignment.
class forgotten_alignments {
 public:
  explicit forgotten_alignments(const llvm::Module& module) : module_(module) {}

  void look_at(llvm::Instruction& access) {
    const llvm::DataLayout& layout = module_.getDataLayout();
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&access); load != nullptr && !load->isAtomic()) {
      note(access, load->getPointerOperand(),
           alignment_by_type(access, load->getType(), load->getAlign(), load->getPointerOperand(), layout), false);
    } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&access); store != nullptr && !store->isAtomic()) {
      note(access, store->getPointerOperand(),
           alignment_by_type(access, store->getValueOperand()->getType(), store->getAlign(), store->getPointerOperand(),
                             layout),
           true);
    } else if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&access)) {
      llvm::Value *const target = copy->getRawDest(), *const source = copy->getRawSource();
      note(access, target, alignment_by_variable(*copy, target, copy->getDestAlign(), source, layout), true);
      note(access, source, alignment_by_variable(*copy, source, copy->getSourceAlign(), target, layout), false);
    }
  }

  void assume_all() const {
    if (found_.empty() || has_unaligned_names(module_)) return;
    for (const found_access& each : found_) assume(*each.instruction, each.pointer, each.alignment, each.is_written);
  }

 private:
  struct found_access {
    llvm::Instruction* instruction;
    llvm::Value* pointer;
    llvm::MaybeAlign alignment;
    bool is_written;
  };

  void note(llvm::Instruction& instruction, llvm::Value* pointer, llvm::MaybeAlign alignment, bool is_written) {
    if (alignment) found_.push_back({&instruction, pointer, alignment, is_written});
  }

  const llvm::Module& module_;
  std::vector<found_access> found_;
};

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
  forgotten_alignments forgotten(module);
  for (llvm::Function& function : module) {
    if (is_of_machine(function)) continue;
    for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
      assume_for(each, module.getDataLayout());
      forgotten.look_at(each);
    }
  }
  forgotten.assume_all();
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory the host's code of a checked program accesses while work of a device may still use it
// (src/simt/hip/stream_order.hpp). Where the host has waited for all work, an access costs a comparison with 0.
#include "instrument/passes.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace warpz::instrument {
namespace {

// As simt_host_access takes them.
constexpr unsigned reads = 0, writes = 1, waits = 2;

struct host_access {
  llvm::Instruction* at;
  llvm::Value* address;
  llvm::Value* bytes;
  unsigned kind;
};

/// Memory of the function or of the host alone. A global variable may be one that the host and the device share only
/// through a pointer.
bool is_private(const llvm::Value* address) {
  const llvm::Value* const object = llvm::getUnderlyingObject(address);
  return llvm::isa<llvm::AllocaInst>(object) || llvm::isa<llvm::GlobalValue>(object);
}

class access_list {
 public:
  explicit access_list(llvm::Function& function) : layout_(function.getParent()->getDataLayout()) {
    for (llvm::Instruction& each : llvm::instructions(function)) add(each);
  }

  const std::vector<host_access>& all() const { return all_; }

 private:
  void add(llvm::Instruction& each) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&each)) {
      add(each, load->getPointerOperand(), load->getType(), load->isAtomic() || load->isVolatile() ? waits : reads);
    } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&each)) {
      const bool is_waited_for = store->isAtomic() || store->isVolatile();
      add(each, store->getPointerOperand(), store->getValueOperand()->getType(), is_waited_for ? waits : writes);
    } else if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&each)) {
      add(each, update->getPointerOperand(), update->getType(), waits);
    } else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&each)) {
      add(each, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(), waits);
    } else if (auto* const row = llvm::dyn_cast<llvm::MemIntrinsic>(&each)) {
      add(each, row->getRawDest(), row->getLength(), writes);
      if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&each))
        add(each, copy->getRawSource(), copy->getLength(), reads);
    }
  }

  void add(llvm::Instruction& at, llvm::Value* address, llvm::Type* type, unsigned kind) {
    const llvm::TypeSize size = layout_.getTypeStoreSize(type);
    if (size.isScalable()) return;
    add(at, address, llvm::ConstantInt::get(llvm::Type::getInt64Ty(at.getContext()), size.getFixedValue()), kind);
  }

  void add(llvm::Instruction& at, llvm::Value* address, llvm::Value* bytes, unsigned kind) {
    if (address->getType()->getPointerAddressSpace() == 0 && !is_private(address))
      all_.push_back({&at, address, bytes, kind});
  }

  const llvm::DataLayout& layout_;
  std::vector<host_access> all_;
};

void report(llvm::Module& module, const host_access& access) {
  llvm::IRBuilder<> builder(access.at);
  builder.SetCurrentDebugLocation(access.at->getDebugLoc());
  llvm::Type* const word = builder.getInt64Ty();
  llvm::Value* const watched = builder.CreateLoad(word, module.getOrInsertGlobal("simt_watched_bytes", word));
  llvm::Value* const is_watched = builder.CreateICmpNE(watched, builder.getInt64(0));
  llvm::Instruction* const call_at = llvm::SplitBlockAndInsertIfThen(
      is_watched, access.at, false, llvm::MDBuilder(module.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(call_at);
  builder.SetCurrentDebugLocation(access.at->getDebugLoc());
  const llvm::FunctionCallee callback = module.getOrInsertFunction("simt_host_access", builder.getVoidTy(),
                                                                   builder.getPtrTy(), word, builder.getInt32Ty());
  builder.CreateCall(callback,
                     {access.address, builder.CreateZExtOrTrunc(access.bytes, word), builder.getInt32(access.kind)});
}

/// Whether the program may have memory that the host and the device access. What other sources than the one with main
/// are given is unknown.
bool may_share_memory(const llvm::Module& module) {
  constexpr llvm::StringRef sources_of_it[] = {"hipHostMalloc",    "hipHostAlloc",    "hipMallocHost",
                                               "hipMallocManaged", "hipHostRegister", "__hipRegisterManagedVar"};
  const llvm::Function* const main = module.getFunction("main");
  if (main == nullptr || main->isDeclaration()) return true;
  return llvm::any_of(module.functions(), [&](const llvm::Function& each) {
    return each.isDeclaration() &&
           llvm::any_of(sources_of_it, [&](llvm::StringRef name) { return each.getName().contains(name); });
  });
}

}  // namespace

void mark_host_functions(llvm::Module& module) {
  if (!may_share_memory(module)) return;
  for (llvm::Function& each : module) {
    if (!each.isDeclaration()) each.addFnAttr(llvm::Attribute::SanitizeThread);
  }
}

void report_host_accesses(llvm::Module& module) {
  if (!may_share_memory(module)) return;
  std::vector<host_access> all;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const access_list accesses(function);
    all.insert(all.end(), accesses.all().begin(), accesses.all().end());
  }
  for (const host_access& each : all) report(module, each);
}

}  // namespace warpz::instrument

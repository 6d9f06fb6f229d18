// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/size_flow.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {
namespace {

/// A call of HIP, or a step of a launch.
bool gives_work(const llvm::CallBase& call) {
  const llvm::Function* const called = call.getCalledFunction();
  if (called == nullptr) return false;
  const llvm::StringRef name = called->getName();
  if (name.contains("__device_stub__") || name.contains("__hipPushCallConfiguration")) return true;
  // dim3's constructor and what asks for a device's properties are no work.
  const bool is_hip = name.starts_with("_ZN10hip_on_cpu") || name.starts_with("hip");
  return is_hip && called->isDeclaration() && !name.contains("Get") && !name.contains("Set");
}

/// The values that others are computed from, through local variables and into callers.
class flow {
 public:
  explicit flow(llvm::ArrayRef<llvm::Value*> seeds) {
    for (llvm::Value* const each : seeds) reach(each, true);
    for (std::size_t i = 0; i < values_.size() && !found_; ++i) {
      for (llvm::User* const user : values_[i]->users()) reach(user, false, values_[i]);
    }
  }

  bool found() const { return found_; }

 private:
  void reach(llvm::Value* value, bool is_seed, const llvm::Value* from = nullptr) {
    if (!values_.insert(value)) return;
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(value)) {
      // A seed stores a constant.
      if (is_seed || store->getValueOperand() == from) reach_variable(store->getPointerOperand());
    } else if (auto* const call = llvm::dyn_cast<llvm::CallBase>(value)) {
      if (gives_work(*call)) found_ = true;
      for (const llvm::Use& each : call->args()) {
        if (each->getType()->isPointerTy()) reach_variable(each);
      }
    } else if (const auto* const end = llvm::dyn_cast<llvm::ReturnInst>(value); end != nullptr && !is_seed) {
      for (llvm::User* const caller : const_cast<llvm::Function*>(end->getFunction())->users()) {
        if (llvm::isa<llvm::CallBase>(caller)) reach(caller, false);
      }
    }
  }

  void reach_variable(const llvm::Value* address) {
    const llvm::Value* const base = llvm::getUnderlyingObject(address);
    if (llvm::isa<llvm::AllocaInst>(base)) values_.insert(const_cast<llvm::Value*>(base));
  }

  llvm::SmallSetVector<llvm::Value*, 32> values_;
  bool found_ = false;
};

}  // namespace

bool sizes_device_work(llvm::ArrayRef<llvm::Value*> line) { return flow(line).found(); }

}  // namespace warpz::instrument

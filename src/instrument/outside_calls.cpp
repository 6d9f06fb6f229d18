// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of functions that neither the source's device code nor the machine has, such as printf: the machine can run the
// blocks of a launch at the same time only as long as they do nothing that it does not see
// (src/simt/machine/trial.hpp). What they are called with is a result of the kernel, as what it stores is.
#include "instrument/machine_code.hpp"
#include "instrument/passes.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include "abi/device_image.h"

namespace warpz::instrument {
namespace {

/// Whether the C library's function only computes: of doubles; with "f" behind its name, of floats.
bool computes(llvm::StringRef name) {
  static const llvm::StringSet<> names = {
      "acos",   "acosh", "asin",  "asinh",   "atan",      "atanh",    "cbrt",   "ceil",     "cos",       "cosh",
      "erf",    "erfc",  "exp",   "exp10",   "exp2",      "expm1",    "fabs",   "floor",    "j0",        "j1",
      "lgamma", "log",   "log10", "log1p",   "log2",      "logb",     "rint",   "round",    "sin",       "sinh",
      "sqrt",   "tan",   "tanh",  "tgamma",  "trunc",     "y0",       "y1",     "atan2",    "fdim",      "fmax",
      "fmin",   "fmod",  "hypot", "pow",     "fma",       "frexp",    "jn",     "ldexp",    "modf",      "remquo",
      "yn",     "ilogb", "lrint", "lround",  "llrint",    "sincos",   "scalbn", "copysign", "nextafter", "scalbln",
      "abs",    "labs",  "llabs", "llround", "nearbyint", "remainder"};
  return names.contains(name) || (name.consume_back("f") && names.contains(name));
}

/// Whether the machine sees all that the function does, other than by pointers.
bool is_known(const llvm::Function& called) {
  const llvm::StringRef name = called.getName();
  return !called.isDeclaration() || called.isIntrinsic() || is_of_machine(called) || name.starts_with("simt") ||
         name.starts_with("__tsan_") || name.ends_with(WARPZ_DEVICE_SUFFIX) || computes(name);
}

/// Whether it may write only to variables of its caller.
bool gets_own_variables(const llvm::CallBase& call) {
  return llvm::all_of(call.args(), [](const llvm::Use& each) {
    return !each->getType()->isPointerTy() || llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(each));
  });
}

/// Whether code may call an unknown function by a pointer to it.
bool has_pointer_to_unknown(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& each) {
    if (is_known(each)) return false;
    return llvm::any_of(each.uses(), [](const llvm::Use& use) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      // A function has the one that handles its exceptions.
      return !llvm::isa<llvm::Function>(use.getUser()) && (call == nullptr || !call->isCallee(&use));
    });
  });
}

/// Tells the machine of each number that the call gets.
void report_numbers(llvm::CallBase& call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Type* const word = builder.getInt64Ty();
  for (llvm::Value* const each : call.args()) {
    const llvm::Type* const type = each->getType();
    const bool is_number = type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy();
    if (!is_number || type->getPrimitiveSizeInBits() > 64 || llvm::isa<llvm::Constant>(each)) continue;
    llvm::Value* const bits =
        builder.CreateBitCast(each, builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits())));
    builder.CreateCall(call.getModule()->getOrInsertFunction("simt_outside_argument", builder.getVoidTy(), word),
                       {builder.CreateZExt(bits, word)});
  }
}

}  // namespace

void report_outside_calls(llvm::Module& module) {
  const bool any_pointer = has_pointer_to_unknown(module);
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : module) {
    if (!is_checked(function)) continue;
    for (llvm::Instruction& each : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
      if (call == nullptr || call->isInlineAsm()) continue;
      const llvm::Function* const called = call->getCalledFunction();
      const bool is_outside = called == nullptr
                                  ? any_pointer
                                  : !is_known(*called) || (computes(called->getName()) && !gets_own_variables(*call));
      if (is_outside) calls.push_back(call);
    }
  }
  for (llvm::CallBase* const each : calls) {
    llvm::IRBuilder<> builder(each);
    builder.CreateCall(module.getOrInsertFunction("simt_outside_call", builder.getVoidTy()));
    if (each->getCalledFunction() == nullptr || !computes(each->getCalledFunction()->getName())) report_numbers(*each);
  }
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code is the machine's or the device library's, and which is the user's.
#pragma once

#include "llvm/IR/Function.h"

namespace warpz::instrument {

/// Whether the function or variable is one of the namespaces simt or warpz, or one that the standard library has for
/// types of theirs.
bool is_of_machine(const llvm::GlobalValue& each);

/// Whether accesses of the function are reported: everywhere but in SIMT_OWN_CODE (simt/lane.hpp).
inline bool is_checked(const llvm::Function& function) {
  return !function.isDeclaration() && function.hasFnAttribute(llvm::Attribute::SanitizeThread);
}

/// Whether it is a check of arithmetic while the code is optimized (arithmetic.cpp): no access, and it decides nothing.
bool is_arithmetic_check(const llvm::Instruction& each);

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The annotations that warpz's headers put on a program's definitions, as Clang writes them into LLVM IR.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

#include <cstdint>
#include <vector>

namespace warpz::instrument {

struct annotation {
  llvm::GlobalValue* annotated;
  llvm::StringRef text;
  const llvm::Constant* arguments;  ///< a struct of them; null: none
};

/// The first argument, a number; 0 where there is none.
std::uint64_t first_number(const annotation& each);

/// All of them, in the order of their definitions.
std::vector<annotation> annotations_of(llvm::Module& module);

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loads and stores of a function are reported, and how.
#pragma once

#include <vector>

#include "llvm/IR/Function.h"

namespace warpz::instrument {

struct reported_access {
  llvm::Instruction* instruction;  ///< a load or a store
  llvm::Instruction* first;        ///< the same, or the load that it stands for
  bool also_reads = false;         ///< a store that stands for the load of its old value as well: `x += y`
};

/// The plain loads and stores that may be of memory that others see, or outside of a variable.
std::vector<reported_access> reported_accesses(llvm::Function& function);

/// Whether the instruction is an atomic that other threads take part in.
bool is_shared_atomic(const llvm::Instruction& instruction);

/// Puts a call of the machine in place of the atomic, or several; none where it is wider than the machine's.
void replace_atomic(llvm::Instruction& atomic);

}  // namespace warpz::instrument

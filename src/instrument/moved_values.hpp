// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes move within shared memory, or compute with and put back there. A value that nobody has set may be moved:
// it matters only where something depends on it. So a load of such a value gives a token, 0 for a value that is set,
// which the compiled code carries along to where it is stored.
#pragma once

#include <vector>

#include "instrument/accesses.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {

class moved_values {
 public:
  explicit moved_values(const std::vector<reported_access>& accesses);

  /// Whether a load's value reaches nothing but stores, one of them to shared memory, where it is itself from.
  bool is_moved(const llvm::Instruction& load) const { return loads_.count(&load) != 0; }

  /// The token of a moved load.
  void set_token(const llvm::Instruction& load, llvm::Value& token) { tokens_[&load] = &token; }

  /// The token of what is stored; null if no moved load's value is. All loads have their tokens.
  llvm::Value* token_of(llvm::StoreInst& store);

 private:
  llvm::Value* token_of(llvm::Value* value);
  llvm::Value* new_token(llvm::Instruction& value);

  llvm::DenseSet<const llvm::Instruction*> loads_;
  llvm::DenseSet<const llvm::Value*> values_;  ///< that are computed from those
  llvm::DenseMap<const llvm::Value*, llvm::Value*> tokens_;
};

/// Whether the pointer leads to shared memory of the block.
bool is_shared(const llvm::Value* pointer);

}  // namespace warpz::instrument

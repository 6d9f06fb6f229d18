// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the values of a kernel depend on. A value that follows from the launch and from the lane's number alone can be
// computed again anywhere.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace warpz::instrument {

enum class dependence {
  launch,  ///< the same for all lanes of a block, wherever it is computed
  lane,    ///< the same for a lane, wherever it is computed
  other
};

/// In place of what the machine tells a lane about itself: calls of functions that nobody defines.
enum class lane_query { x, y, z, id, self, dynamic_shared, memory, result };

/// Creates such a call. `memory`: the first byte of the lane's variable, by its offset in the frame, and its bytes.
llvm::CallInst* create_query(lane_query kind, llvm::ArrayRef<llvm::Value*> operands, llvm::Instruction* before);

/// The kind of query that an instruction is; false: it is none.
bool is_query(const llvm::Value* value, lane_query& kind);

/// Makes what a lane reads of itself queries, and what is false without a trace false.
void ask_lanes(llvm::Function& kernel);

class lane_values {
 public:
  dependence of(const llvm::Value* value);

  /// Whether the instruction only combines its operands, and can do so anywhere.
  static bool is_pure(const llvm::Instruction& instruction);

  /// Whether computing the value again costs less than keeping it.
  bool is_cheap(const llvm::Instruction& value);

 private:
  dependence find(const llvm::Instruction& instruction);
  dependence of_operands(const llvm::Instruction& instruction);

  llvm::DenseMap<const llvm::Value*, dependence> known_;
};

}  // namespace warpz::instrument

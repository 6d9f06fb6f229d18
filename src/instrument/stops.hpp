// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a lane stops until it may go on (simt/detail/suspend.hpp). While the code is optimized, each stop is a call of
// a function that nobody defines, so that a kernel can still be cut there. Then the switch of lanes is inlined.
#pragma once

#include <optional>

#include "abi/lane_loops.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace warpz::instrument {

/// A call that is a stop. The operands that its kind does not have are null.
struct stop_call {
  llvm::CallInst* call;
  warpz_stop kind;
  llvm::Value* op = nullptr;  ///< of a barrier: the mode
  llvm::Value* named = nullptr;
  llvm::Value* value = nullptr;
  llvm::Value* argument = nullptr;
  llvm::Value* operation = nullptr;
  llvm::Value* file = nullptr;
  llvm::Value* line_source_and_type = nullptr;
};

std::optional<stop_call> as_stop(llvm::Instruction& instruction);

/// Early: stops become calls of functions that nobody defines.
void hold_stops(llvm::Module& module);

/// Late: they become what they were, inlined.
void release_stops(llvm::Module& module);

}  // namespace warpz::instrument

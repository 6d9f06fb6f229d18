// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes do not depend on each other from one stop to the next: where one writes what another one accesses, without an
// atomic, they race. Loops over lanes say so, and LLVM then vectorises them also where it cannot prove it.
#pragma once

#include "llvm/IR/Function.h"

namespace warpz::instrument {

/// Marks the branch that ends a round of a loop over lanes.
void mark_lane_loop(llvm::Instruction& branch);

/// Makes such a loop one of few lanes, for which vectors are not worth their code.
void mark_as_rest(llvm::Instruction& branch);

/// Whether a function has memory that its lanes use one after the other, in which each has its variables.
bool shares_variables(const llvm::Function& function);

/// An array of lanes is no such memory.
void mark_array_of_lanes(llvm::Instruction& variable);

/// Says so of the marked loops, and which of them are to be vectorised in any case: LLVM thinks too much of what it
/// costs to check that an index does not wrap around.
void declare_lanes_parallel(llvm::Function& function);

}  // namespace warpz::instrument

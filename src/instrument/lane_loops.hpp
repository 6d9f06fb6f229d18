// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds to each kernel how it runs as loops over lanes, if its code allows it (abi/lane_loops.h).
#pragma once

#include "llvm/IR/Module.h"

namespace warpz::instrument {

/// The variable where a kernel's loops will be (struct warpz_lane_loops), for the image.
llvm::GlobalVariable* declare_lane_loops(llvm::Function& kernel);

/// Late, before stops are released: defines these variables.
void add_lane_loops(llvm::Module& module);

/// Last: a loop over lanes asks once where variables of the thread are, such as shared memory. The code generator would
/// put the question where the answer is used, in the innermost loop.
void keep_addresses(llvm::Module& module);

}  // namespace warpz::instrument

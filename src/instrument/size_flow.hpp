// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Value.h"

namespace warpz::instrument {

/// Whether what a line of host code computes decides how work is given to a device: a launch's grid, block, shared
/// memory or arguments, the size of memory or of a copy. Code that only prints or compares it does not.
bool sizes_device_work(llvm::ArrayRef<llvm::Value*> line);

}  // namespace warpz::instrument

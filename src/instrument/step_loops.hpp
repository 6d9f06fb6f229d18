// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes take the rounds of their own loops in step, unless these have atomics or calls: the loop over lanes becomes the
// inner one, which LLVM vectorises.
//
//     for each lane:                          for each 16 lanes:
//       sum = 0;                                for each lane: sums[lane] = 0;
//       for (k = 0; k < n; ++k)                 for (k = 0; k < n; ++k)
//         sum += a[k] * b[k * n + lane];          for each lane: sums[lane] += a[k] * b[k * n + lane];
//       c[lane] = sum;                          for each lane: c[lane] = sums[lane];
//
// A round in which only some lanes are left is one of all lanes whose values count for those alone.
#pragma once

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {

/// A loop over lanes: `lane` counts in the header, from `first`, in steps of one, until it is `end` in the latch.
struct lane_loop {
  llvm::BasicBlock* before;
  llvm::BasicBlock* header;
  llvm::BasicBlock* latch;
  llvm::BasicBlock* behind;
  llvm::PHINode* lane;
  llvm::Value* first;
  llvm::Value* end;
};

/// Whether the lanes now take all loops of their own in step; else nothing has changed. Lanes that are no 16 in a row
/// are as before.
bool run_in_step(const lane_loop& lanes);

}  // namespace warpz::instrument

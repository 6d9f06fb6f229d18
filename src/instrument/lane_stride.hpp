// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By how much values differ from one lane of a warp to the next.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace warpz::instrument {

/// By how much a value grows from lane to lane, in a round of a loop of their own; none: nobody knows. Addresses: in
/// bytes.
class lane_stride {
 public:
  lane_stride(const llvm::Loop& lanes, const llvm::Value* lane, const llvm::Loop& own)
      : lanes_(lanes), lane_(lane), own_(own), layout_(lanes.getHeader()->getModule()->getDataLayout()) {}

  std::optional<std::int64_t> of(const llvm::Value* value);

 private:
  std::optional<std::int64_t> of_instruction(const llvm::Instruction& each);
  std::optional<std::int64_t> of_address(const llvm::GEPOperator& address);

  const llvm::Loop& lanes_;
  const llvm::Value* lane_;
  const llvm::Loop& own_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const llvm::Value*, std::optional<std::int64_t>> known_;
};

/// Whether lanes that take the rounds of a loop in step access memory side by side or all the same, or compute much
/// with what they read. Processors access only words for some lanes of a vector. The own loop may be the loop over
/// lanes.
bool suits_vectors(const llvm::Loop& lanes, const llvm::Value* lane, const llvm::Loop& own,
                   const llvm::DominatorTree& tree);

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/lane_stride.hpp"

#include <cstddef>

#include "instrument/lane_values.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace warpz::instrument {

std::optional<std::int64_t> lane_stride::of(const llvm::Value* value) {
  const auto* const each = llvm::dyn_cast<llvm::Instruction>(value);
  if (each == nullptr || !lanes_.contains(each)) return 0;
  if (value == lane_) return 1;
  // Until it is known nobody knows it.
  const auto [place, is_new] = known_.try_emplace(value, std::nullopt);
  if (!is_new) return place->second;
  const std::optional<std::int64_t> found = of_instruction(*each);
  return known_[value] = found;
}

std::optional<std::int64_t> lane_stride::of_instruction(const llvm::Instruction& each) {
  using llvm::PatternMatch::m_APInt;
  if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&each)) {
    // Counts the rounds, which are the same for all lanes, from where the lane begins.
    const llvm::BasicBlock* const latch = own_.getLoopLatch();
    if (phi->getParent() != own_.getHeader()) return {};
    const auto* const next = llvm::dyn_cast<llvm::BinaryOperator>(phi->getIncomingValueForBlock(latch));
    if (next == nullptr || next->getOpcode() != llvm::Instruction::Add || next->getOperand(0) != phi ||
        of(next->getOperand(1)) != 0)
      return {};
    return of(phi->getIncomingValueForBlock(own_.getLoopPreheader()));
  }
  if (const auto* const address = llvm::dyn_cast<llvm::GEPOperator>(&each)) return of_address(*address);
  if (llvm::isa<llvm::CastInst>(each)) return of(each.getOperand(0));
  if (!lane_values::is_pure(each)) return {};
  if (llvm::all_of(each.operands(), [this](const llvm::Use& one) { return of(one.get()) == 0; })) return 0;
  if (each.getNumOperands() != 2) return {};
  const std::optional<std::int64_t> left = of(each.getOperand(0)), right = of(each.getOperand(1));
  if (!left || !right) return {};
  const llvm::APInt* number = nullptr;
  switch (each.getOpcode()) {
    case llvm::Instruction::Add:
      return *left + *right;
    case llvm::Instruction::Or:
      if (!llvm::cast<llvm::PossiblyDisjointInst>(&each)->isDisjoint()) return {};
      return *left + *right;
    case llvm::Instruction::Sub:
      return *left - *right;
    case llvm::Instruction::Mul:
      if (!llvm::PatternMatch::match(each.getOperand(1), m_APInt(number))) return {};
      return *left * number->getSExtValue();
    case llvm::Instruction::Shl:
      if (!llvm::PatternMatch::match(each.getOperand(1), m_APInt(number)) || number->ugt(32)) return {};
      return *left << number->getZExtValue();
    default:
      return {};
  }
}

std::optional<std::int64_t> lane_stride::of_address(const llvm::GEPOperator& address) {
  std::optional<std::int64_t> sum = of(address.getPointerOperand());
  for (auto part = llvm::gep_type_begin(address); part != llvm::gep_type_end(address); ++part) {
    const std::optional<std::int64_t> step = of(part.getOperand());
    if (!sum || !step) return {};
    if (*step != 0) *sum += *step * static_cast<std::int64_t>(part.getSequentialElementStride(layout_));
  }
  return sum;
}

bool suits_vectors(const llvm::Loop& lanes, const llvm::Value* lane, const llvm::Loop& own,
                   const llvm::DominatorTree& tree) {
  constexpr std::size_t computed_per_scattered = 10;
  constexpr std::int64_t word = 4;
  lane_stride steps(lanes, lane, own);
  const llvm::DataLayout& layout = own.getHeader()->getModule()->getDataLayout();
  const llvm::BasicBlock* const latch = own.getLoopLatch();
  const auto* const branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
  const bool same_rounds = &own == &lanes || (own.getExitingBlock() == latch && branch->isConditional() &&
                                              steps.of(branch->getCondition()) == 0);
  std::size_t computed = 0, scattered = 0;
  for (const llvm::BasicBlock* const block : own.blocks()) {
    const bool is_masked = !same_rounds || !tree.dominates(block, latch);
    for (const llvm::Instruction& each : *block) {
      const llvm::Value* const address = llvm::getLoadStorePointerOperand(&each);
      if (address == nullptr) {
        computed += llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::BranchInst>(each) ? 0 : 1;
        continue;
      }
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&each);
      llvm::Type* const type = store != nullptr ? store->getValueOperand()->getType() : each.getType();
      const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(type));
      const std::optional<std::int64_t> step = steps.of(address);
      if (step != bytes && (step != 0 || is_masked)) ++scattered;
      if (is_masked && bytes < word) return false;
    }
  }
  return scattered * computed_per_scattered <= computed;
}

}  // namespace warpz::instrument

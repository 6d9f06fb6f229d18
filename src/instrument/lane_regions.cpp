// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/lane_regions.hpp"

#include <algorithm>
#include <list>
#include <set>

#include "abi/device_image.h"
#include "abi/lane_loops.h"
#include "instrument/region_builder.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace warpz::instrument {
namespace {

constexpr std::size_t max_stops = 100;
constexpr std::uint64_t max_frame_bytes = std::uint64_t{256} * 1024;
constexpr std::uint64_t max_lanes = 64, max_warps = 16;
constexpr std::size_t max_instructions = 20000;

/// A stack that has no room for more ends at a page that is guarded, which is then found.
constexpr std::uint64_t max_bytes_of_variables = 16384;

/// Without those whose sizes are known only while it runs, which are too many.
std::uint64_t bytes_of_variable(const llvm::Instruction& variable) {
  const auto* const each = llvm::dyn_cast<llvm::AllocaInst>(&variable);
  if (each == nullptr) return 0;
  const std::optional<llvm::TypeSize> bytes = each->getAllocationSize(each->getModule()->getDataLayout());
  return bytes ? bytes->getFixedValue() : max_bytes_of_variables + 1;
}

/// Whether a lane can stop in a function that is defined elsewhere: in one of another source (device_code.cpp), but not
/// in the C library's, C++'s or the machine's. The exceptions among these are clock(), simt::end_lane(), and the
/// barrier of a grid, which only cooperative launches have.
bool may_stop_elsewhere(const llvm::Function& declaration) {
  const llvm::StringRef name = declaration.getName();
  return name.ends_with(WARPZ_DEVICE_SUFFIX) || name == "clock" || name == "_ZN4simt8end_laneEv";
}

/// Whether a lane can stop in the function, or needs much of its stack, or nobody knows.
bool needs_stack(llvm::Function& function, std::set<const llvm::Function*>& within) {
  if (function.isDeclaration()) return may_stop_elsewhere(function);
  if (!within.insert(&function).second) return true;
  std::uint64_t bytes = 0;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    bytes += bytes_of_variable(each);
    if (as_stop(each) || bytes > max_bytes_of_variables) return true;
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
    if (call == nullptr || call->isInlineAsm()) continue;
    if (call->getCalledFunction() == nullptr || needs_stack(*call->getCalledFunction(), within)) return true;
  }
  within.erase(&function);
  return false;
}

}  // namespace

cut_kernel::cut_kernel(llvm::Function& copy, llvm::StringRef name) : kernel_(copy), name_(name) {
  ask_lanes(kernel_);
  drop_needless_yields();
  find_obstacle();
  if (obstacle_ != nullptr) return;
  find_stops();
  find_order();
  if (obstacle_ != nullptr) return;
  is_of_block_ = meets_only_as_block();
  place_variables_in_frame();
  uniform_.emplace(kernel_, values_);
  if (frame_bytes_ > max_frame_bytes * (is_of_block_ ? max_warps : 1))
    obstacle_ = "its lanes keep too much from one stop to another";
}

void cut_kernel::find_obstacle() {
  std::size_t stops = 0, instructions = 0;
  std::uint64_t bytes = 0;
  for (llvm::Instruction& each : llvm::instructions(kernel_)) {
    ++instructions;
    if (const std::optional<stop_call> stop = as_stop(each)) {
      if (stop->kind != WARPZ_STOP_RETURN) ++stops;
      const auto* const named = llvm::dyn_cast_or_null<llvm::ConstantInt>(stop->named);
      if (named != nullptr && named->isZero()) obstacle_ = "an operation names no lane";
      for (const llvm::Value* const constant : {stop->op, stop->operation, stop->file, stop->line_source_and_type}) {
        if (constant != nullptr && !llvm::isa<llvm::Constant>(constant))
          obstacle_ = "which operation it calls is known only while it runs";
      }
      continue;
    }
    const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&each);
    bytes += bytes_of_variable(each);
    if ((variable != nullptr && !variable->isStaticAlloca()) || bytes > max_bytes_of_variables)
      obstacle_ = "its variables are large, or their size is known only while it runs";
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
    if (call == nullptr) continue;
    std::set<const llvm::Function*> within;
    if (call->isInlineAsm() || llvm::isa<llvm::InvokeInst>(call)) {
      obstacle_ = "it has assembly";
    } else if (call->getCalledFunction() == nullptr) {
      obstacle_ = "it calls a function through a pointer";
    } else if (call->getCalledFunction()->isDeclaration() && needs_stack(*call->getCalledFunction(), within)) {
      obstacle_ = "it calls a function of another source";
    } else if (needs_stack(*call->getCalledFunction(), within)) {
      obstacle_ = "a function that is not inlined needs a lane's stack";
    }
  }
  if (stops > max_stops || instructions * (stops + 1) > max_instructions) obstacle_ = "it is too long";
}

void cut_kernel::find_stops() {
  std::vector<stop_call> found;
  for (llvm::Instruction& each : llvm::instructions(kernel_)) {
    if (const std::optional<stop_call> stop = as_stop(each)) found.push_back(*stop);
  }
  for (const stop_call& each : found) {
    llvm::Instruction* const next = each.call->getNextNode();
    llvm::BasicBlock* const resumed = each.call->getParent()->splitBasicBlock(next, "resumed");
    if (each.kind == WARPZ_STOP_RETURN) {
      llvm::Instruction* const end = each.call->getParent()->getTerminator();
      llvm::IRBuilder<>(end).CreateRetVoid();
      end->eraseFromParent();
      continue;
    }
    stops_.push_back(each);
    if (each.call->use_empty()) continue;
    each.call->replaceAllUsesWith(create_query(lane_query::result, {}, &*resumed->getFirstInsertionPt()));
  }
  // The kernel began anew behind its return.
  llvm::removeUnreachableBlocks(kernel_);
  // What a loop computes and others need is kept behind it, not in each of its rounds.
  const llvm::DominatorTree dominators(kernel_);
  const llvm::LoopInfo loops(dominators);
  for (llvm::Loop* const each : loops) llvm::formLCSSARecursively(*each, dominators, &loops, nullptr);
}

std::uint64_t cut_kernel::reserve(std::uint64_t bytes_of_lane) {
  constexpr std::uint64_t alignment = 64;
  const std::uint64_t lanes = is_of_block_ ? max_lanes * max_warps : max_lanes;
  const std::uint64_t offset = frame_bytes_;
  frame_bytes_ += (bytes_of_lane * lanes + alignment - 1) / alignment * alignment;
  return offset;
}

std::uint64_t cut_kernel::slot_of(const llvm::Instruction& value) {
  const auto found = slots_.find(&value);
  if (found != slots_.end()) return found->second;
  const std::uint64_t bytes = kernel_.getParent()->getDataLayout().getTypeAllocSize(value.getType());
  return slots_[&value] = reserve(bytes);
}

/// A lane's variables have to outlive its stops.
void cut_kernel::place_variables_in_frame() {
  if (stops_.empty()) return;
  const llvm::DataLayout& layout = kernel_.getParent()->getDataLayout();
  std::vector<llvm::AllocaInst*> variables;
  std::vector<llvm::Instruction*> lifetimes;
  for (llvm::Instruction& each : llvm::instructions(kernel_)) {
    if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&each)) variables.push_back(variable);
    if (each.isLifetimeStartOrEnd()) lifetimes.push_back(&each);
  }
  for (llvm::Instruction* const each : lifetimes) each->eraseFromParent();
  for (llvm::AllocaInst* const each : variables) {
    const std::uint64_t alignment = std::max<std::uint64_t>(each->getAlign().value(), 8);
    const std::uint64_t bytes =
        (each->getAllocationSize(layout)->getFixedValue() + alignment - 1) / alignment * alignment;
    llvm::IRBuilder<> builder(each);
    each->replaceAllUsesWith(
        create_query(lane_query::memory, {builder.getInt64(reserve(bytes)), builder.getInt64(bytes)}, each));
    each->eraseFromParent();
  }
}

/// Whether lanes at their next stops have passed scheduling points in another order than lanes on stacks, which shows
/// in what atomics do. It is the same as long as all lanes stop at the same one.
bool cut_kernel::is_out_of_order(llvm::BasicBlock* first) const {
  bool yields = false, parts = false;
  unsigned found = 0;
  std::set<const llvm::BasicBlock*> reached{first};
  std::vector<llvm::BasicBlock*> to_follow{first};
  while (!to_follow.empty()) {
    llvm::BasicBlock* const block = to_follow.back();
    to_follow.pop_back();
    const auto stop = std::find_if(stops_.begin(), stops_.end(),
                                   [block](const stop_call& each) { return each.call->getParent() == block; });
    if (stop != stops_.end()) {
      ++found;
      yields = yields || stop->kind == WARPZ_STOP_YIELD;
      const auto* const named = llvm::dyn_cast_or_null<llvm::ConstantInt>(stop->named);
      parts = parts || (stop->kind == WARPZ_STOP_COLLECTIVE && (named == nullptr || !named->isMinusOne()));
      continue;
    }
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) ++found;
    for (llvm::BasicBlock* const each : llvm::successors(block)) {
      if (reached.insert(each).second) to_follow.push_back(each);
    }
  }
  return parts || (yields && found > 1);
}

bool cut_kernel::yields() const {
  return llvm::any_of(stops_, [](const stop_call& each) { return each.kind == WARPZ_STOP_YIELD; });
}

void cut_kernel::find_order() {
  if (!yields()) return;
  bool is_out = is_out_of_order(&kernel_.getEntryBlock());
  for (const stop_call& each : stops_) is_out = is_out || is_out_of_order(each.call->getParent()->getSingleSuccessor());
  if (is_out) obstacle_ = "only some lanes of a warp may pass an atomic or a clock";
}

bool cut_kernel::meets_only_as_block() {
  for (const stop_call& each : stops_) {
    if (each.kind != WARPZ_STOP_BARRIER || !llvm::cast<llvm::Constant>(each.op)->isNullValue()) return false;
  }
  return llvm::none_of(llvm::instructions(kernel_), [](const llvm::Instruction& each) {
    lane_query kind{};
    return is_query(&each, kind) && kind == lane_query::id;
  });
}

/// Sums, and the like, whose results nobody uses are the same in each order. Where a kernel has no other atomics, none
/// of them is a scheduling point, and no lane waits for what they change.
void cut_kernel::drop_needless_yields() {
  std::vector<llvm::Instruction*> yields;
  for (llvm::Instruction& each : llvm::instructions(kernel_)) {
    const std::optional<stop_call> stop = as_stop(each);
    if (!stop || stop->kind != WARPZ_STOP_YIELD) continue;
    const llvm::Instruction* next = each.getNextNode();
    while (next != nullptr && !next->isAtomic() && !next->isTerminator()) next = next->getNextNode();
    const auto* const change = llvm::dyn_cast_or_null<llvm::AtomicRMWInst>(next);
    if (change == nullptr || !change->use_empty() || !change->getType()->isIntegerTy() ||
        change->getOperation() == llvm::AtomicRMWInst::Xchg || change->getOperation() == llvm::AtomicRMWInst::Nand)
      return;
    yields.push_back(&each);
  }
  if (yields.empty()) return;
  for (llvm::Instruction& each : llvm::instructions(kernel_)) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&each);
    const llvm::Function* const callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee != nullptr && callee->getName().contains("simt6detail11note_access")) yields.push_back(&each);
  }
  for (llvm::Instruction* const each : yields) each->eraseFromParent();
}

std::vector<lane_region> cut_kernel::regions() {
  std::list<region_builder> builders;
  for (unsigned number = 0; number <= stops_.size(); ++number) builders.emplace_back(*this, number);
  std::vector<lane_region> built;
  for (region_builder& each : builders) {
    each.keep_values();
    const std::vector<unsigned>& next = each.next_stops();
    const bool is_only = next.size() + (each.returns() ? 1 : 0) == 1;
    built.push_back({&each.function(),
                     !is_only       ? -1
                     : next.empty() ? 0
                                    : static_cast<int>(next.front()),
                     each.tells_lane()});
  }
  return built;
}

}  // namespace warpz::instrument

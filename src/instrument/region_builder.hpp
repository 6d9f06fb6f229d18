// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the function of one region: a copy of the kernel, from the region's beginning to the next stops, in a loop.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/lane_regions.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class DominatorTree;
}

namespace warpz::instrument {

/// Metadata of the read of where dynamic shared memory is.
inline constexpr llvm::StringLiteral dynamic_shared_memory = "warpz.dynamic_shared";

/// The memory that lanes have beside what the kernel knows of.
enum class lane_array : unsigned { frame, value, argument, result, named, next };

class region_builder {
 public:
  region_builder(cut_kernel& cut, unsigned number);
  region_builder(const region_builder&) = delete;
  region_builder& operator=(const region_builder&) = delete;

  /// Once all regions are built: stores the values that other regions need.
  void keep_values();

  llvm::Function& function() const { return *function_; }
  /// The stops that lanes may reach, without the return; and whether they may return.
  const std::vector<unsigned>& next_stops() const { return next_; }
  bool returns() const { return returns_; }
  /// Whether the machine knows each lane while it runs.
  bool tells_lane() const { return tells_lane_; }

 private:
  void enter(unsigned number);
  void add_rows();
  void add_coordinates();
  llvm::Value* lane() const { return lane_; }
  llvm::PHINode* add_row_value(std::size_t offset, llvm::Type* type, const llvm::Twine& name);
  void leave_at_stops();
  void write_stop(const stop_call& stop, unsigned number);
  void place_values();
  void supply(llvm::Instruction& value, llvm::Instruction& copy, const llvm::DominatorTree& tree);
  llvm::Value* computed(llvm::Value* value);
  llvm::Value* reloaded(const llvm::Instruction& value);
  llvm::Value* answer(const llvm::CallInst& query, lane_query kind, llvm::IRBuilder<>& builder);
  void answer_queries();
  void introduce_lane();
  void mark_own_memory();
  void simplify();

  llvm::Value* field(std::size_t offset, llvm::Type* type, const llvm::Twine& name);
  llvm::Value* element(lane_array array, llvm::Type* type, llvm::IRBuilder<>& builder);
  void store(lane_array array, llvm::Value* value, llvm::IRBuilder<>& builder);
  llvm::Value* slot(std::uint64_t offset, std::uint64_t bytes, llvm::Value* lane, llvm::IRBuilder<>& builder);
  llvm::Instruction* marked(llvm::Instruction* access, lane_array array);

  cut_kernel& cut_;
  llvm::LLVMContext& context_;
  llvm::ValueToValueMapTy copies_;
  llvm::Function* function_;
  llvm::BasicBlock* prologue_;
  llvm::BasicBlock* row_;  ///< begins a row of the block
  llvm::BasicBlock* lane_block_;
  llvm::BasicBlock* latch_;
  llvm::BasicBlock* behind_;
  llvm::Value* arguments_;
  llvm::Value* arrays_[6];
  llvm::Value* lanes_;
  llvm::Value* dynamic_shared_;
  llvm::Value* first_of_all_;
  llvm::WeakTrackingVH x_;
  llvm::WeakTrackingVH y_;
  llvm::WeakTrackingVH z_;
  llvm::PHINode* first_;
  llvm::PHINode* end_;
  llvm::WeakTrackingVH lane_;
  llvm::Value* lane_x_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> computed_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> reloaded_;
  std::vector<std::pair<llvm::Instruction*, lane_array>> own_accesses_;
  std::vector<unsigned> next_;
  bool returns_ = false;
  bool tells_lane_ = false;
};

}  // namespace warpz::instrument

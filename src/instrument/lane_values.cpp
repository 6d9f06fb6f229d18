// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/lane_values.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "simt/lane.hpp"

namespace warpz::instrument {
namespace {

struct query_name {
  lane_query kind;
  llvm::StringLiteral name;
};

constexpr query_name query_names[] = {
    {lane_query::x, "warpz.lane.x"},           {lane_query::y, "warpz.lane.y"},
    {lane_query::z, "warpz.lane.z"},           {lane_query::id, "warpz.lane.id"},
    {lane_query::self, "warpz.lane.self"},     {lane_query::dynamic_shared, "warpz.lane.dynamic_shared"},
    {lane_query::memory, "warpz.lane.memory"}, {lane_query::result, "warpz.lane.result"}};

llvm::Type* type_of(lane_query kind, llvm::LLVMContext& context) {
  switch (kind) {
    case lane_query::x:
    case lane_query::y:
    case lane_query::z:
    case lane_query::id:
      return llvm::Type::getInt32Ty(context);
    case lane_query::result:
      return llvm::Type::getInt64Ty(context);
    case lane_query::self:
    case lane_query::dynamic_shared:
    case lane_query::memory:
      break;
  }
  return llvm::PointerType::getUnqual(context);
}

/// The variable of the thread whose address this is; null: it is none.
const llvm::GlobalVariable* thread_variable(const llvm::Value* address) {
  const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(address);
  if (call == nullptr || call->getIntrinsicID() != llvm::Intrinsic::threadlocal_address) return nullptr;
  return llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0));
}

/// What a load reads: a base, and so many bytes behind it.
struct place {
  const llvm::Value* base;
  std::int64_t offset;
};

place place_of(const llvm::LoadInst& load) {
  std::int64_t offset = 0;
  const llvm::Value* const base = llvm::GetPointerBaseWithConstantOffset(
      load.getPointerOperand(), offset, load.getFunction()->getParent()->getDataLayout());
  return {base, offset};
}

bool is_in_kernel_arguments(const llvm::Value* base) {
  if (llvm::isa<llvm::Argument>(base)) return true;
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(base);
  return load != nullptr && llvm::isa<llvm::Argument>(place_of(*load).base);
}

/// Whether nobody writes there while the kernel runs, and all lanes of a block read the same.
bool is_of_launch(const llvm::LoadInst& load) {
  if (!load.isSimple()) return false;
  const llvm::Value* const base = place_of(load).base;
  if (const llvm::GlobalVariable* const variable = thread_variable(base)) {
    const llvm::StringRef name = variable->getName();
    return name == "blockIdx" || name == "blockDim" || name == "gridDim";
  }
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(base);
  if (variable != nullptr) return variable->isConstant() || variable->getName().contains("current_warp_size");
  return is_in_kernel_arguments(base);
}

/// The query that this load is; false: none.
bool as_query(const llvm::LoadInst& load, lane_query& kind) {
  const auto [base, offset] = place_of(load);
  const bool is_word = load.getType()->isIntegerTy(32), is_pointer = load.getType()->isPointerTy();
  if (const llvm::GlobalVariable* const variable = thread_variable(base)) {
    if (is_word && variable->getName() == "threadIdx" && offset >= 0 && offset <= 8 && offset % 4 == 0) {
      constexpr lane_query coordinates[] = {lane_query::x, lane_query::y, lane_query::z};
      kind = coordinates[offset / 4];
      return true;
    }
    kind = lane_query::self;
    return is_pointer && offset == 0 && variable->getName() == "_ZN4simt9this_laneE";
  }
  lane_query of_base{};
  if (!is_query(base, of_base) || of_base != lane_query::self) return false;
  if (is_word && offset == offsetof(simt::lane, lane_id)) {
    kind = lane_query::id;
    return true;
  }
  kind = lane_query::dynamic_shared;
  return is_pointer && offset == offsetof(simt::lane, dynamic_shared);
}

}  // namespace

llvm::CallInst* create_query(lane_query kind, llvm::ArrayRef<llvm::Value*> operands, llvm::Instruction* before) {
  llvm::Module& module = *before->getModule();
  const auto* const found = std::find_if(std::begin(query_names), std::end(query_names),
                                         [kind](const query_name& each) { return each.kind == kind; });
  std::vector<llvm::Type*> types;
  for (llvm::Value* const each : operands) types.push_back(each->getType());
  llvm::IRBuilder<> builder(before);
  const llvm::FunctionCallee function = module.getOrInsertFunction(
      found->name, llvm::FunctionType::get(type_of(kind, module.getContext()), types, false));
  llvm::CallInst* const call = builder.CreateCall(function, operands);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

bool is_query(const llvm::Value* value, lane_query& kind) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(value);
  if (call == nullptr || call->getCalledFunction() == nullptr) return false;
  const llvm::StringRef name = call->getCalledFunction()->getName();
  for (const query_name& each : query_names) {
    if (name != each.name) continue;
    kind = each.kind;
    return true;
  }
  return false;
}

void ask_lanes(llvm::Function& kernel) {
  std::vector<llvm::LoadInst*> loads;
  for (llvm::BasicBlock& block : kernel) {
    for (llvm::Instruction& each : block) {
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&each)) loads.push_back(load);
    }
  }
  // A lane's address first, as others are read behind it.
  for (const bool selves : {true, false}) {
    for (llvm::LoadInst*& load : loads) {
      lane_query kind{};
      if (load == nullptr || !load->isSimple() || !as_query(*load, kind) || selves != (kind == lane_query::self))
        continue;
      load->replaceAllUsesWith(create_query(kind, {}, load));
      load->eraseFromParent();
      load = nullptr;
    }
  }
  const llvm::GlobalVariable* const recorded = kernel.getParent()->getNamedGlobal("_ZN4simt18steps_are_recordedE");
  for (llvm::LoadInst* const load : loads) {
    if (load == nullptr || recorded == nullptr || load->getPointerOperand() != recorded) continue;
    llvm::replaceAndRecursivelySimplify(load, llvm::Constant::getNullValue(load->getType()));
  }
  for (llvm::BasicBlock& block : kernel) llvm::ConstantFoldTerminator(&block, true);
  llvm::removeUnreachableBlocks(kernel);
}

dependence lane_values::of(const llvm::Value* value) {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr) return dependence::launch;
  const auto known = known_.find(value);
  if (known != known_.end()) return known->second;
  const dependence found = find(*instruction);
  known_[value] = found;
  return found;
}

dependence lane_values::find(const llvm::Instruction& instruction) {
  lane_query kind{};
  if (is_query(&instruction, kind)) {
    if (kind == lane_query::dynamic_shared) return dependence::launch;
    return kind == lane_query::result ? dependence::other : dependence::lane;
  }
  if (thread_variable(&instruction) != nullptr) return dependence::launch;
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return is_of_launch(*load) ? dependence::launch : dependence::other;
  }
  if (!is_pure(instruction)) return dependence::other;
  return of_operands(instruction);
}

bool lane_values::is_pure(const llvm::Instruction& instruction) {
  lane_query kind{};
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst, llvm::SelectInst,
                   llvm::ExtractValueInst, llvm::UnaryOperator, llvm::IntrinsicInst>(instruction) &&
         !is_query(&instruction, kind) && !instruction.mayReadOrWriteMemory() && !instruction.getType()->isVoidTy() &&
         llvm::isSafeToSpeculativelyExecute(&instruction);
}

dependence lane_values::of_operands(const llvm::Instruction& instruction) {
  dependence most = dependence::launch;
  for (const llvm::Use& each : instruction.operands()) most = std::max(most, of(each.get()));
  return most;
}

bool lane_values::is_cheap(const llvm::Instruction& value) {
  constexpr std::size_t most = 16;
  std::set<const llvm::Instruction*> steps;
  std::vector<const llvm::Instruction*> to_follow{&value};
  while (!to_follow.empty() && steps.size() <= most) {
    const llvm::Instruction* const current = to_follow.back();
    to_follow.pop_back();
    if (of(current) == dependence::launch || !steps.insert(current).second) continue;
    for (const llvm::Use& each : current->operands()) {
      if (const auto* const operand = llvm::dyn_cast<llvm::Instruction>(each.get())) to_follow.push_back(operand);
    }
  }
  return steps.size() <= most;
}

}  // namespace warpz::instrument

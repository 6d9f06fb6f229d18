// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/region_builder.hpp"

#include <cstddef>
#include <set>

#include "abi/lane_loops.h"
#include "instrument/kernels.hpp"
#include "instrument/lane_addresses.hpp"
#include "instrument/parallel_lanes.hpp"
#include "instrument/step_loops.hpp"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "simt/lane.hpp"

namespace warpz::instrument {
namespace {

/// struct fiber of the machine (simt/machine/block.hpp).
constexpr std::uint64_t bytes_of_lane = 3 * alignof(simt::lane);

std::set<const llvm::BasicBlock*> reachable_from(llvm::BasicBlock* first) {
  std::set<const llvm::BasicBlock*> reached{first};
  std::vector<llvm::BasicBlock*> to_follow{first};
  while (!to_follow.empty()) {
    llvm::BasicBlock* const current = to_follow.back();
    to_follow.pop_back();
    for (llvm::BasicBlock* const each : llvm::successors(current)) {
      if (reached.insert(each).second) to_follow.push_back(each);
    }
  }
  return reached;
}

/// The address of one of the machine's variables of the thread.
llvm::Value* thread_variable(llvm::StringRef name, llvm::IRBuilder<>& builder) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::GlobalVariable* variable = module.getNamedGlobal(name);
  if (variable == nullptr) {
    variable = new llvm::GlobalVariable(module, builder.getInt8Ty(), false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                        name, nullptr, llvm::GlobalValue::InitialExecTLSModel);
  }
  return builder.CreateThreadLocalAddress(variable);
}

}  // namespace

region_builder::region_builder(cut_kernel& cut, unsigned number)
    : cut_(cut), context_(cut.kernel_.getContext()), function_(llvm::CloneFunction(&cut.kernel_, copies_)) {
  // A finding says the kernel's own name, as it does where the kernel's lanes have stacks.
  const llvm::DISubprogram* const kernel = cut.kernel_.getSubprogram();
  function_->setName((kernel != nullptr ? kernel->getName() : llvm::StringRef(cut.name_)) + region_suffix +
                     llvm::Twine(number));
  function_->addFnAttr(region_attribute);
  function_->setLinkage(llvm::GlobalValue::InternalLinkage);
  function_->removeFnAttr(kernel_attribute);
  function_->removeFnAttr(llvm::Attribute::NoReturn);
  enter(number);
  leave_at_stops();
  place_values();
  // A phi of one value still says where that value is to be kept.
  llvm::EliminateUnreachableBlocks(*function_, nullptr, true);
  answer_queries();
}

llvm::Value* region_builder::field(std::size_t offset, llvm::Type* type, const llvm::Twine& name) {
  llvm::IRBuilder<> builder(prologue_->getTerminator());
  return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function_->getArg(0), offset),
                            name);
}

void region_builder::enter(unsigned number) {
  llvm::BasicBlock* const entry = &function_->getEntryBlock();
  llvm::BasicBlock* start = entry;
  if (number != 0) {
    const llvm::BasicBlock* const resumed = cut_.stops_[number - 1].call->getParent()->getSingleSuccessor();
    start = llvm::cast<llvm::BasicBlock>(copies_[resumed]);
  }
  prologue_ = llvm::BasicBlock::Create(context_, "prologue", function_, entry);
  row_ = llvm::BasicBlock::Create(context_, "row", function_, entry);
  lane_block_ = llvm::BasicBlock::Create(context_, "lane", function_, entry);
  latch_ = llvm::BasicBlock::Create(context_, "latch", function_);
  behind_ = llvm::BasicBlock::Create(context_, "behind", function_);
  llvm::IRBuilder<> builder(prologue_);
  builder.CreateBr(row_);
  std::vector<llvm::Instruction*> variables;
  for (llvm::Instruction& each : llvm::instructions(*function_)) {
    if (llvm::isa<llvm::AllocaInst>(each)) variables.push_back(&each);
  }
  for (llvm::Instruction* const each : variables)
    each->moveBefore(*prologue_, prologue_->getTerminator()->getIterator());

  llvm::Type* const pointer = builder.getPtrTy();
  llvm::Argument* const loop = function_->getArg(0);
  arguments_ = field(offsetof(warpz_lane_loop, arguments), pointer, "arguments");
  loop->replaceUsesWithIf(arguments_, [this](const llvm::Use& use) {
    return llvm::cast<llvm::Instruction>(use.getUser())->getParent() != prologue_;
  });
  constexpr std::size_t arrays[] = {offsetof(warpz_lane_loop, frame),    offsetof(warpz_lane_loop, value),
                                    offsetof(warpz_lane_loop, argument), offsetof(warpz_lane_loop, result),
                                    offsetof(warpz_lane_loop, named),    offsetof(warpz_lane_loop, next)};
  for (std::size_t i = 0; i < std::size(arrays); ++i) arrays_[i] = field(arrays[i], pointer, "array");
  lanes_ = field(offsetof(warpz_lane_loop, lanes), pointer, "lanes");
  dynamic_shared_ = field(offsetof(warpz_lane_loop, dynamic_shared), pointer, "dynamic_shared");
  llvm::cast<llvm::Instruction>(dynamic_shared_)->setMetadata(dynamic_shared_memory, llvm::MDNode::get(context_, {}));
  add_rows();

  builder.SetInsertPoint(lane_block_);
  llvm::PHINode* const lane = builder.CreatePHI(builder.getInt64Ty(), 2, "lane");
  lane_ = lane;
  lane_x_ = builder.CreateAdd(x_, builder.CreateTrunc(lane, builder.getInt32Ty()), "x");
  builder.CreateBr(start);
  builder.SetInsertPoint(latch_);
  llvm::Value* const next = builder.CreateNUWAdd(lane_, builder.getInt64(1), "next");
  mark_lane_loop(*builder.CreateCondBr(builder.CreateICmpULT(next, end_), lane_block_, behind_));
  lane->addIncoming(first_, row_);
  lane->addIncoming(next, latch_);
}

/// One row of the block after the other.
void region_builder::add_rows() {
  llvm::Type* const number = llvm::Type::getInt64Ty(context_);
  llvm::IRBuilder<> builder(row_);
  builder.CreateBr(lane_block_);
  first_ = add_row_value(offsetof(warpz_lane_loop, first), number, "first");
  end_ = add_row_value(offsetof(warpz_lane_loop, end), number, "end");
  llvm::PHINode* const rows = add_row_value(offsetof(warpz_lane_loop, rows), number, "rows");
  first_of_all_ = first_->getIncomingValue(0);

  auto* const end = llvm::BasicBlock::Create(context_, "end", function_);
  builder.SetInsertPoint(behind_);
  llvm::Value* const width = field(offsetof(warpz_lane_loop, width), builder.getInt32Ty(), "width");
  first_->addIncoming(end_, behind_);
  end_->addIncoming(builder.CreateNUWAdd(end_, builder.CreateZExt(width, number)), behind_);
  llvm::Value* const left = builder.CreateNUWSub(rows, builder.getInt64(1));
  rows->addIncoming(left, behind_);
  builder.CreateCondBr(builder.CreateICmpNE(left, builder.getInt64(0)), row_, end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  add_coordinates();
}

/// A value that the first row has from the machine.
llvm::PHINode* region_builder::add_row_value(std::size_t offset, llvm::Type* type, const llvm::Twine& name) {
  llvm::PHINode* const value = llvm::IRBuilder<>(row_, row_->begin()).CreatePHI(type, 2, name);
  value->addIncoming(field(offset, type, name), prologue_);
  return value;
}

/// Those of a row that are not there, or no more, as nothing has used them.
void region_builder::add_coordinates() {
  llvm::Type* const word = llvm::Type::getInt32Ty(context_);
  llvm::PHINode *x = nullptr, *y = nullptr, *z = nullptr;
  if (x_ == nullptr) x_ = x = add_row_value(offsetof(warpz_lane_loop, x), word, "x");
  if (y_ == nullptr) y_ = y = add_row_value(offsetof(warpz_lane_loop, y), word, "y");
  if (z_ == nullptr) z_ = z = add_row_value(offsetof(warpz_lane_loop, z), word, "z");
  if (llvm::pred_size(row_) == 1) return;  // no lane comes to its end
  llvm::IRBuilder<> builder(behind_->getTerminator());
  // threadIdx.x is 0 where the next row begins.
  if (x != nullptr) x->addIncoming(builder.CreateNeg(builder.CreateTrunc(end_, word)), behind_);
  if (y == nullptr && z == nullptr) return;
  llvm::Value* const height = field(offsetof(warpz_lane_loop, height), word, "height");
  llvm::Value* const next = builder.CreateNUWAdd(y_, builder.getInt32(1));
  llvm::Value* const is_in_plane = builder.CreateICmpULT(next, height);
  if (y != nullptr) y->addIncoming(builder.CreateSelect(is_in_plane, next, builder.getInt32(0)), behind_);
  if (z == nullptr) return;
  z->addIncoming(builder.CreateSelect(is_in_plane, z, builder.CreateNUWAdd(z, builder.getInt32(1))), behind_);
}

llvm::Instruction* region_builder::marked(llvm::Instruction* access, lane_array array) {
  own_accesses_.emplace_back(access, array);
  return access;
}

llvm::Value* region_builder::element(lane_array array, llvm::Type* type, llvm::IRBuilder<>& builder) {
  return builder.CreateInBoundsGEP(type, arrays_[static_cast<unsigned>(array)], lane());
}

void region_builder::store(lane_array array, llvm::Value* value, llvm::IRBuilder<>& builder) {
  marked(builder.CreateStore(value, element(array, value->getType(), builder)), array);
}

llvm::Value* region_builder::slot(std::uint64_t offset, std::uint64_t bytes, llvm::Value* lane,
                                  llvm::IRBuilder<>& builder) {
  llvm::Value* const first = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), arrays_[0], offset);
  return builder.CreateInBoundsGEP(llvm::ArrayType::get(builder.getInt8Ty(), bytes), first, lane);
}

/// A stop hands over its operands and goes on with the next lane.
void region_builder::leave_at_stops() {
  struct found_stop {
    stop_call stop;
    unsigned number;
  };
  std::vector<found_stop> found;
  for (llvm::Instruction& each : llvm::instructions(*function_)) {
    if (const std::optional<stop_call> stop = as_stop(each)) found.push_back({*stop, 0});
  }
  for (found_stop& each : found) {
    for (unsigned i = 0; i < cut_.stops_.size(); ++i) {
      if (copies_[cut_.stops_[i].call] == each.stop.call) each.number = i + 1;
    }
    llvm::Instruction* const end = each.stop.call->getParent()->getTerminator();
    llvm::BranchInst::Create(latch_, end->getIterator());
    end->eraseFromParent();
  }
  const std::set<const llvm::BasicBlock*> reached = reachable_from(prologue_);
  std::vector<found_stop> here;
  for (const found_stop& each : found) {
    if (reached.count(each.stop.call->getParent()) != 0) here.push_back(each);
  }
  for (const found_stop& each : here) {
    if (each.number == 0) {
      returns_ = true;
    } else {
      next_.push_back(each.number);
    }
  }
  for (const found_stop& each : here) write_stop(each.stop, each.number);
  for (const found_stop& each : found) each.stop.call->eraseFromParent();
}

void region_builder::write_stop(const stop_call& stop, unsigned number) {
  llvm::IRBuilder<> builder(stop.call);
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  const bool is_read = stop.kind != WARPZ_STOP_BARRIER || !llvm::cast<llvm::Constant>(stop.op)->isNullValue();
  if (stop.value != nullptr && is_read) store(lane_array::value, stop.value, builder);
  if (stop.argument != nullptr) store(lane_array::argument, stop.argument, builder);
  if (stop.named != nullptr && !llvm::isa<llvm::ConstantInt>(stop.named)) store(lane_array::named, stop.named, builder);
  if (next_.size() + (returns_ ? 1 : 0) > 1)
    store(lane_array::next, builder.getInt8(static_cast<std::uint8_t>(number)), builder);
}

/// What the region uses and does not compute itself comes from the launch, from the lane's number or from the frame.
void region_builder::place_values() {
  const llvm::DominatorTree tree(*function_);
  for (llvm::Instruction& each : llvm::instructions(cut_.kernel_)) {
    llvm::Value* const copy = copies_.lookup(&each);
    if (copy == nullptr || copy->use_empty()) continue;
    if (cut_.values_.of(&each) == dependence::launch) {
      copy->replaceAllUsesWith(computed(&each));
    } else if (auto* const instruction = llvm::dyn_cast<llvm::Instruction>(copy)) {
      supply(each, *instruction, tree);
    }
  }
}

void region_builder::supply(llvm::Instruction& value, llvm::Instruction& copy, const llvm::DominatorTree& tree) {
  std::vector<llvm::Use*> uses;
  for (llvm::Use& each : copy.uses()) {
    if (!tree.dominates(&copy, each)) uses.push_back(&each);
  }
  if (uses.empty()) return;
  if (cut_.values_.of(&value) == dependence::lane && cut_.values_.is_cheap(value)) {
    llvm::Value* const again = computed(&value);
    for (llvm::Use* const each : uses) each->set(again);
    return;
  }
  llvm::Value* const before = reloaded(value);
  if (!tree.isReachableFromEntry(copy.getParent())) {
    for (llvm::Use* const each : uses) each->set(before);
    return;
  }
  llvm::SSAUpdater updater;
  updater.Initialize(copy.getType(), copy.getName());
  updater.AddAvailableValue(lane_block_, before);
  updater.AddAvailableValue(copy.getParent(), &copy);
  for (llvm::Use* const each : uses) updater.RewriteUse(*each);
}

/// The value, computed before the loop or at the beginning of each lane.
llvm::Value* region_builder::computed(llvm::Value* value) {
  if (llvm::isa<llvm::Argument>(value)) return arguments_;
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr) return value;
  if (llvm::Value* const known = computed_.lookup(value)) return known;
  const bool is_of_launch = cut_.values_.of(value) == dependence::launch;
  llvm::Value* again = nullptr;
  lane_query kind{};
  if (is_query(value, kind)) {
    llvm::IRBuilder<> builder((is_of_launch ? prologue_ : lane_block_)->getTerminator());
    again = answer(*llvm::cast<llvm::CallInst>(value), kind, builder);
  } else {
    llvm::Instruction* const copy = instruction->clone();
    for (llvm::Use& each : copy->operands()) each.set(computed(each.get()));
    copy->dropUBImplyingAttrsAndMetadata();
    copy->setDebugLoc(llvm::DebugLoc());
    copy->insertBefore((is_of_launch ? prologue_ : lane_block_)->getTerminator()->getIterator());
    again = copy;
  }
  computed_[value] = again;
  return again;
}

llvm::Value* region_builder::reloaded(const llvm::Instruction& value) {
  llvm::Value*& known = reloaded_[&value];
  if (known != nullptr) return known;
  // What is the same for all lanes is read once.
  const bool is_uniform = cut_.uniform_->contains(value);
  llvm::IRBuilder<> builder((is_uniform ? prologue_ : lane_block_)->getTerminator());
  const std::uint64_t bytes = function_->getParent()->getDataLayout().getTypeAllocSize(value.getType());
  llvm::Value* const from = slot(cut_.slot_of(value), bytes, is_uniform ? first_of_all_ : lane(), builder);
  llvm::Type* const type = value.getType()->isIntegerTy(1) ? builder.getInt8Ty() : value.getType();
  llvm::LoadInst* const load = builder.CreateAlignedLoad(type, from, llvm::commonAlignment(llvm::Align(64), bytes));
  marked(load, lane_array::frame);
  known = type == value.getType() ? load : builder.CreateTrunc(load, value.getType());
  return known;
}

void region_builder::keep_values() {
  for (const auto& [value, offset] : cut_.slots_) {
    llvm::Value* const copy = copies_.lookup(value);
    auto* const kept = llvm::dyn_cast_or_null<llvm::Instruction>(copy);
    if (kept == nullptr || kept->getParent() == nullptr) continue;
    const auto place = kept->getInsertionPointAfterDef();
    llvm::IRBuilder<> builder(kept->getParent(), *place);
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    const std::uint64_t bytes = function_->getParent()->getDataLayout().getTypeAllocSize(value->getType());
    llvm::Value* const to = slot(offset, bytes, lane(), builder);
    llvm::Value* const stored = kept->getType()->isIntegerTy(1) ? builder.CreateZExt(kept, builder.getInt8Ty()) : kept;
    marked(builder.CreateAlignedStore(stored, to, llvm::commonAlignment(llvm::Align(64), bytes)), lane_array::frame);
  }
  mark_own_memory();
  simplify();
  compute_addresses_first(*row_, *lane_block_);
  introduce_lane();
  simplify();
  if (!tells_lane_) declare_lanes_parallel(*function_);
}

/// What other values have replaced would keep the loop from being vectorised.
void region_builder::simplify() {
  for (llvm::BasicBlock& each : *function_) llvm::SimplifyInstructionsInBlock(&each);
}

llvm::Value* region_builder::answer(const llvm::CallInst& query, lane_query kind, llvm::IRBuilder<>& builder) {
  switch (kind) {
    case lane_query::x:
      return lane_x_;
    case lane_query::y:
      return y_;
    case lane_query::z:
      return z_;
    case lane_query::id:
      return builder.CreateTrunc(lane(), builder.getInt32Ty());
    case lane_query::dynamic_shared:
      return dynamic_shared_;
    case lane_query::self:
      return builder.CreateInBoundsGEP(llvm::ArrayType::get(builder.getInt8Ty(), bytes_of_lane), lanes_, lane());
    case lane_query::memory:
      return slot(llvm::cast<llvm::ConstantInt>(query.getArgOperand(0))->getZExtValue(),
                  llvm::cast<llvm::ConstantInt>(query.getArgOperand(1))->getZExtValue(), lane(), builder);
    case lane_query::result: {
      llvm::Type* const type = builder.getInt64Ty();
      return marked(builder.CreateLoad(type, element(lane_array::result, type, builder)), lane_array::result);
    }
  }
  return nullptr;
}

void region_builder::answer_queries() {
  std::vector<std::pair<llvm::CallInst*, lane_query>> queries;
  for (llvm::Instruction& each : llvm::instructions(*function_)) {
    lane_query kind{};
    if (is_query(&each, kind)) queries.emplace_back(llvm::cast<llvm::CallInst>(&each), kind);
  }
  for (const auto& [query, kind] : queries) {
    llvm::IRBuilder<> builder(query);
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    query->replaceAllUsesWith(answer(*query, kind, builder));
    query->eraseFromParent();
  }
}

/// Where a lane may stay for long or leave the region's code, the machine has to know which one runs.
void region_builder::introduce_lane() {
  bool leaves = false;
  for (llvm::Instruction& each : llvm::instructions(*function_)) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
    if (call == nullptr) continue;
    const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    if (intrinsic == nullptr) {
      leaves = true;
    } else if (intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address && !intrinsic->use_empty()) {
      const llvm::StringRef name = intrinsic->getArgOperand(0)->getName();
      if (name == "threadIdx" || name == "_ZN4simt9this_laneE") leaves = true;
    }
  }
  tells_lane_ = leaves || !run_in_step({row_, lane_block_, latch_, behind_,
                                        llvm::dyn_cast_or_null<llvm::PHINode>(lane()), first_, end_});
  if (!tells_lane_) return;
  add_coordinates();
  // Anew, as what was read of it before may be gone, where nothing has used it.
  llvm::Value* const lanes = field(offsetof(warpz_lane_loop, lanes), llvm::PointerType::getUnqual(context_), "lanes");
  llvm::Type* const word = llvm::Type::getInt32Ty(context_);
  llvm::IRBuilder<> builder(lane_block_->getTerminator());
  llvm::Value* const self =
      builder.CreateInBoundsGEP(llvm::ArrayType::get(builder.getInt8Ty(), bytes_of_lane), lanes, lane());
  builder.CreateStore(self, thread_variable("_ZN4simt9this_laneE", builder));
  llvm::Value* const index = thread_variable("threadIdx", builder);
  unsigned offset = 0;
  llvm::Value* const x = builder.CreateAdd(x_, builder.CreateTrunc(lane(), word));
  for (llvm::Value* const each : {x, llvm::cast<llvm::Value>(y_), llvm::cast<llvm::Value>(z_)}) {
    builder.CreateStore(each, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), index, offset));
    offset += 4;
  }
}

/// What is only the machine's is never where the kernel reads or writes.
void region_builder::mark_own_memory() {
  llvm::MDBuilder builder(context_);
  llvm::MDNode* const domain = builder.createAnonymousAliasScopeDomain("lanes");
  std::vector<llvm::Metadata*> scopes;
  for (unsigned i = 0; i < std::size(arrays_); ++i) scopes.push_back(builder.createAnonymousAliasScope(domain));
  std::set<const llvm::Instruction*> own;
  for (const auto& [access, array] : own_accesses_) {
    own.insert(access);
    const auto number = static_cast<unsigned>(array);
    std::vector<llvm::Metadata*> others = scopes;
    others.erase(others.begin() + number);
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, llvm::MDNode::get(context_, {scopes[number]}));
    access->setMetadata(llvm::LLVMContext::MD_noalias, llvm::MDNode::get(context_, others));
  }
  llvm::MDNode* const all = llvm::MDNode::get(context_, scopes);
  for (llvm::Instruction& each : llvm::instructions(*function_)) {
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(each) || own.count(&each) != 0) continue;
    each.setMetadata(llvm::LLVMContext::MD_noalias,
                     llvm::MDNode::concatenate(each.getMetadata(llvm::LLVMContext::MD_noalias), all));
  }
}

}  // namespace warpz::instrument

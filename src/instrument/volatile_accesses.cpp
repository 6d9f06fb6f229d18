// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX defines volatile accesses as relaxed and of system scope, and AMD's compilers make them so.
//
// A volatile that only polls or publishes becomes a relaxed atomic: a load in a loop that it decides, at an address
// that the loop does not change; and a store whose value does not come from another load of the same object. Others
// stay as they are, so that they race with accesses of other lanes: `(*count)++`, trees, data taken from a volatile
// array; but a lane that has waited for its turn may change the number that says whose turn it is. Types of other sizes
// than 1, 2, 4 and 8 bytes, and such as are not aligned to their size, stay as they are, too. Each load is a scheduling
// point. A lane's own variables are left alone.
#include <set>
#include <vector>

#include "instrument/passes.hpp"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace warpz::instrument {
namespace {

using values = std::set<const llvm::Value*>;

const llvm::Value* base_of(const llvm::Value* pointer) { return llvm::getUnderlyingObject(pointer, 0); }

/// The memory that a pointer leads to, by the variable that it is or is held by.
const llvm::Value* object_of(const llvm::Value* pointer) {
  for (;;) {
    const llvm::Value* const base = base_of(pointer);
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(base);
    if (load == nullptr) return base;
    pointer = load->getPointerOperand();
  }
}

/// Loops and branches of a function that is not optimized yet, in which each variable is memory of its own.
struct function_flow {
  explicit function_flow(llvm::Function& function) : dominators(function), loops(dominators), followers(function) {}

  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::PostDominatorTree followers;
};

/// What follows from a value: other values, variables, and branches.
class consequences {
 public:
  consequences(const function_flow& flow, const llvm::Instruction& value) : flow_(flow) {
    reach(&value);
    while (!to_follow_.empty()) {
      const llvm::Value* const current = to_follow_.back();
      to_follow_.pop_back();
      for (const llvm::User* const each : current->users()) {
        if (const auto* const user = llvm::dyn_cast<llvm::Instruction>(each)) follow(*user);
      }
    }
  }

  bool reach_into(const llvm::Instruction& one) const {
    return llvm::any_of(one.operands(), [this](const llvm::Use& each) { return reached_.count(each) != 0; });
  }

 private:
  void reach(const llvm::Value* value) {
    if (reached_.insert(value).second) to_follow_.push_back(value);
  }

  void follow(const llvm::Instruction& user) {
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      const llvm::Value* const variable = base_of(store->getPointerOperand());
      if (llvm::isa<llvm::AllocaInst>(variable)) reach(variable);
    } else if (user.isTerminator() && user.getNumSuccessors() > 1) {
      decide(*user.getParent());
    } else if (!user.getType()->isVoidTy()) {
      reach(&user);
    }
  }

  /// The end of this block decides whether others run, and so what they set.
  void decide(const llvm::BasicBlock& block) {
    if (!deciding_.insert(&block).second) return;
    for (const llvm::BasicBlock& each : *block.getParent()) {
      const auto follows = llvm::count_if(llvm::successors(&block), [&](const llvm::BasicBlock* next) {
        return flow_.followers.dominates(&each, next);
      });
      if (follows == 0 || follows == static_cast<std::ptrdiff_t>(llvm::succ_size(&block))) continue;
      for (const llvm::Instruction& one : each) {
        if (llvm::isa<llvm::StoreInst>(one)) follow(one);
      }
      if (each.getTerminator()->getNumSuccessors() > 1) decide(each);
    }
  }

  const function_flow& flow_;
  values reached_;
  std::set<const llvm::BasicBlock*> deciding_;
  std::vector<const llvm::Value*> to_follow_;
};

/// What a value comes from: other values, and variables.
values sources_of(const llvm::Value* value) {
  values sources;
  std::vector<const llvm::Value*> left{value};
  while (!left.empty()) {
    const llvm::Value* const current = left.back();
    left.pop_back();
    if (!sources.insert(current).second || !llvm::isa<llvm::Instruction>(current)) continue;
    for (const llvm::Use& each : llvm::cast<llvm::Instruction>(current)->operands()) left.push_back(each);
    if (!llvm::isa<llvm::AllocaInst>(current)) continue;
    for (const llvm::User* const each : current->users()) {
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(each);
      if (store != nullptr && store->getPointerOperand() == current) left.push_back(store->getValueOperand());
    }
  }
  return sources;
}

/// The variables from which a value is computed, without what they were computed from.
void add_variables(const llvm::Value* value, values& variables, values& seen) {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || !seen.insert(value).second) return;
  if (llvm::isa<llvm::AllocaInst>(instruction)) {
    variables.insert(instruction);
  } else {
    for (const llvm::Use& each : instruction->operands()) add_variables(each, variables, seen);
  }
}

/// Whether a value is read from memory that others may see, or got from a function.
bool comes_from_elsewhere(const llvm::Value* value) {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || llvm::isa<llvm::AllocaInst>(instruction)) return false;
  if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)) return true;
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(instruction);
  if (load != nullptr && !llvm::isa<llvm::AllocaInst>(base_of(load->getPointerOperand()))) return true;
  return llvm::any_of(instruction->operands(), [](const llvm::Use& each) { return comes_from_elsewhere(each); });
}

/// Whether a value is the same in each round of the loop, as the variables from which it is computed are: the
/// loop does not set them, or sets them to such a value. `known` are those that are looked at already.
bool keeps_value(const llvm::Loop& loop, const llvm::Value* value, values known) {
  values variables, seen;
  add_variables(value, variables, seen);
  return llvm::all_of(variables, [&](const llvm::Value* variable) {
    values known_here = known;
    const bool is_new = known_here.insert(variable).second;
    return llvm::all_of(variable->users(), [&](const llvm::User* each) {
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(each);
      if (store == nullptr || store->getPointerOperand() != variable || !loop.contains(store)) return true;
      const llvm::Value* const stored = store->getValueOperand();
      return is_new && !comes_from_elsewhere(stored) && keeps_value(loop, stored, known_here);
    });
  });
}

bool keeps_operands(const llvm::Loop& loop, const llvm::Instruction& one) {
  return llvm::all_of(one.operands(), [&](const llvm::Use& each) { return keeps_value(loop, each, {}); });
}

/// Whether a value decides a loop around it that does not change its operands.
bool is_polled(const function_flow& flow, const llvm::Instruction& one) {
  const llvm::Loop* loop = flow.loops.getLoopFor(one.getParent());
  if (loop == nullptr || one.getType()->isVoidTy()) return false;
  const consequences reached(flow, one);
  for (; loop != nullptr; loop = loop->getParentLoop()) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    loop->getExitingBlocks(exiting);
    const bool decides =
        llvm::any_of(exiting, [&](const llvm::BasicBlock* each) { return reached.reach_into(*each->getTerminator()); });
    if (decides && keeps_operands(*loop, one)) return true;
  }
  return false;
}

/// Functions that only load and return, within one another: a library's load has a few.
constexpr unsigned max_callers = 8;

/// Whether a value is polled where it is, or is what such a function returns and all that call it poll.
bool is_polled_by_all(const llvm::Instruction& one, const function_flow& flow, unsigned callers = max_callers) {
  if (is_polled(flow, one)) return true;
  const llvm::Function& function = *one.getFunction();
  if (callers == 0 || function.size() != 1 || !llvm::isa<llvm::ReturnInst>(function.front().getTerminator()))
    return false;
  if (!consequences(flow, one).reach_into(*function.front().getTerminator())) return false;
  std::size_t calls = 0;
  for (const llvm::User* const each : function.users()) {
    const auto* const user = llvm::dyn_cast<llvm::Instruction>(each);
    if (user == nullptr) continue;
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr ||
        !is_polled_by_all(*call, function_flow(const_cast<llvm::Function&>(*call->getFunction())), callers - 1))
      return false;
    ++calls;
  }
  return calls != 0;
}

/// Whether the value is compared for equality with another one that is no constant: a turn is one lane's, and a state
/// may be that of several.
bool is_turn(const function_flow& flow, const llvm::Instruction& one) {
  const consequences reached(flow, one);
  return llvm::any_of(llvm::instructions(*one.getFunction()), [&](const llvm::Instruction& each) {
    const auto* const compared = llvm::dyn_cast<llvm::ICmpInst>(&each);
    return compared != nullptr && compared->isEquality() && reached.reach_into(*compared) &&
           llvm::none_of(compared->operands(), [](const llvm::Use& side) { return llvm::isa<llvm::Constant>(side); });
  });
}

/// Whether the lane has waited for its turn by this object on each way there.
bool has_turn(const llvm::Instruction& access, const function_flow& flow) {
  const llvm::Value* const object = object_of(llvm::getLoadStorePointerOperand(&access));
  return llvm::any_of(llvm::instructions(*access.getFunction()), [&](const llvm::Instruction& each) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&each);
    return load != nullptr && load != &access && load->isVolatile() && object_of(load->getPointerOperand()) == object &&
           flow.dominators.dominates(load, &access) && is_polled(flow, *load) && is_turn(flow, *load);
  });
}

/// Whether a store's value comes from a load of the same object that does not poll, or from a function that was given
/// it. Who passes on what it has waited for publishes, as does whoever's turn it is: that nobody else changes the
/// object meanwhile shows by the load.
bool is_update(const llvm::StoreInst& store, const function_flow& flow) {
  const llvm::Value* const object = object_of(store.getPointerOperand());
  return llvm::any_of(sources_of(store.getValueOperand()), [&](const llvm::Value* source) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(source);
    const bool is_load = load != nullptr;
    if (!is_load && !llvm::isa<llvm::CallInst>(source)) return false;
    if (is_load && load->isVolatile() && is_polled(flow, *load)) return false;
    return llvm::any_of(llvm::cast<llvm::Instruction>(source)->operands(), [&](const llvm::Use& operand) {
      // A load of the variable that holds the pointer is none of the object.
      const bool is_pointer = is_load && llvm::isa<llvm::AllocaInst>(operand);
      return !is_pointer && operand->getType()->isPointerTy() && object_of(operand) == object;
    });
  });
}

bool may_be_atomic(llvm::Type* type, llvm::Align alignment, const llvm::DataLayout& layout) {
  if (!type->isIntegerTy() && !type->isFloatingPointTy() && !type->isPointerTy()) return false;
  const std::uint64_t bits = layout.getTypeSizeInBits(type);
  return (bits == 8 || bits == 16 || bits == 32 || bits == 64) && alignment.value() * 8 >= bits;
}

struct volatile_access {
  llvm::Instruction* instruction;
  bool becomes_atomic;
};

std::vector<volatile_access> volatile_accesses_in(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  std::vector<volatile_access> found;
  std::optional<function_flow> flow;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&each);
    const bool is_ordinary = pointer == nullptr || !each.isVolatile() || each.isAtomic();
    if (is_ordinary || llvm::isa<llvm::AllocaInst>(base_of(pointer))) continue;
    if (!flow) flow.emplace(function);
    const bool may_become = may_be_atomic(llvm::getLoadStoreType(&each), llvm::getLoadStoreAlignment(&each), layout);
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&each);
    const bool only_polls = store != nullptr ? !is_update(*store, *flow) : is_polled_by_all(each, *flow);
    found.push_back({&each, may_become && (only_polls || has_turn(each, *flow))});
  }
  return found;
}

void mark(const volatile_access& access) {
  llvm::Module& module = *access.instruction->getModule();
  llvm::IRBuilder<> builder(access.instruction);
  const auto call = [&](llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::SmallVector<llvm::Type*> types;
    for (const llvm::Value* const each : arguments) types.push_back(each->getType());
    llvm::FunctionCallee callback =
        module.getOrInsertFunction(name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
    llvm::cast<llvm::Function>(callback.getCallee())->setDoesNotThrow();
    builder.CreateCall(callback, arguments);
  };
  llvm::Value* const pointer = llvm::getLoadStorePointerOperand(access.instruction);
  if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(access.instruction)) {
    if (!access.becomes_atomic) return call("simt_volatile_read", {pointer});
    call("simt_volatile_poll", {pointer, builder.getInt64(module.getDataLayout().getTypeStoreSize(load->getType()))});
    load->setAtomic(llvm::AtomicOrdering::Monotonic);
  } else if (access.becomes_atomic) {
    // It tells of itself.
    llvm::cast<llvm::StoreInst>(access.instruction)->setAtomic(llvm::AtomicOrdering::Monotonic);
  } else {
    call("simt_volatile_write", {pointer});
  }
}

}  // namespace

void mark_volatile_accesses(llvm::Module& module) {
  std::vector<volatile_access> accesses;
  for (llvm::Function& each : module) {
    const std::vector<volatile_access> found = volatile_accesses_in(each);
    accesses.insert(accesses.end(), found.begin(), found.end());
  }
  for (const volatile_access& each : accesses) mark(each);
}

}  // namespace warpz::instrument

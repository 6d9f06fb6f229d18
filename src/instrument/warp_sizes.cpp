// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the source has the warp size as a number. Names, macros, constants and arguments of templates are values here,
// and warpSize is a read of the machine's variable. Only what is sure is listed.
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "abi/device_image.h"
#include "instrument/lists.hpp"
#include "instrument/machine_code.hpp"
#include "instrument/passes.hpp"
#include "instrument/template_numbers.hpp"
#include "instrument/warp_operations.hpp"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace warpz::instrument {
namespace {

using namespace llvm::PatternMatch;

/// Why a line is listed that may as well be a step of code for larger warps.
constexpr llvm::StringLiteral may_be_a_step = "";

/// Nothing for a null pointer and for what is no constant.
std::optional<std::uint64_t> number(const llvm::Value* value) {
  if (value == nullptr) return {};
  const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(converted(value));
  return constant != nullptr && constant->getBitWidth() <= 64 ? std::optional(constant->getZExtValue()) : std::nullopt;
}

bool reads_warp_size_or_half(const llvm::Value* value) {
  const llvm::Value* whole = nullptr;
  value = converted(value);
  if (match(value, m_SDiv(m_Value(), m_SpecificInt(2))) || match(value, m_UDiv(m_Value(), m_SpecificInt(2))) ||
      match(value, m_Shr(m_Value(), m_SpecificInt(1))))
    whole = llvm::cast<llvm::Instruction>(value)->getOperand(0);
  return reads_warp_size(whole != nullptr ? whole : value);
}

/// threadIdx.x, the first of three.
bool is_thread(const llvm::Value* value) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(converted(value));
  if (load == nullptr) return false;
  const llvm::Value* address = load->getPointerOperand();
  if (const auto* const field = llvm::dyn_cast<llvm::GEPOperator>(address)) {
    if (!field->hasAllZeroIndices()) return false;
    address = field->getPointerOperand();
  }
  const auto* const thread_local_address = llvm::dyn_cast<llvm::IntrinsicInst>(address->stripPointerCasts());
  if (thread_local_address == nullptr || thread_local_address->getIntrinsicID() != llvm::Intrinsic::threadlocal_address)
    return false;
  return thread_local_address->getArgOperand(0)->stripPointerCasts()->getName() == "threadIdx";
}

using value_set = llvm::DenseSet<const llvm::Value*>;

/// One function, whose variables are values.
class warp_size_search {
 public:
  struct assumption {
    std::string reason;
    bool is_of_lanes = false;  ///< there is an operation of a warp, or a lane's number; else it may be of a tile
    bool is_written = false;   ///< the line says so itself, whatever a template's arguments are
    std::set<std::uint64_t> numbers = {};  ///< otherwise: what it has from them, or as numbers
  };
  /// Adds to `found`, by file, line and size; 0 for loops that go over a warp of any size.
  using places = std::map<std::tuple<std::string, unsigned, unsigned>, assumption>;

  /// `lanes` and `warps` are the values that variables keep whose names say that they are about lanes or warps;
  /// `is_about_warps`: the whole function is.
  warp_size_search(const llvm::Function& function, const value_set& lanes, const value_set& warps, bool is_about_warps,
                   places& found)
      : lanes_(lanes),
        warps_(warps),
        is_about_warps_(is_about_warps),
        found_(found),
        dominators_(const_cast<llvm::Function&>(function)),
        loops_(dominators_) {
    for (const llvm::Instruction& each : llvm::instructions(function)) {
      if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each)) search_call(*call);
      search_number(each);
      search_bit(each);
      search_cut(each);
    }
    for (const llvm::Loop* const each : loops_.getLoopsInPreorder()) search_loop(*each);
  }

 private:
  static constexpr unsigned sizes[] = {32, 64};
  static constexpr llvm::StringLiteral kept_in_32_bits = "a set of lanes is kept in 32 bits";

  void report(const llvm::DebugLoc& place, unsigned size, const llvm::Twine& reason, bool is_of_lanes = true,
              std::optional<std::uint64_t> by_number = {}) {
    if (!place) return;
    assumption& known = found_[{file_row(*place->getFile()), place.getLine(), size}];
    if (known.reason.empty()) known.reason = reason.str();
    known.is_of_lanes = known.is_of_lanes || is_of_lanes;
    if (by_number) known.numbers.insert(*by_number);
    known.is_written = known.is_written || !by_number;
  }

  void report_loop(const llvm::Loop& loop, unsigned size, bool is_of_lanes, std::uint64_t by_number) {
    report(loop.getStartLoc(), size, "a loop goes over " + llvm::Twine(size) + " lanes", is_of_lanes, by_number);
  }

  /// `__shfl(v, 31)`, `__shfl_xor(v, 1, 32)`, `__ballot_sync(0xffffffff, p)`.
  void search_call(const llvm::CallBase& call) {
    const std::string name = operation_name(call);
    if (takes_mask_first(name) && call.arg_size() > 0 && number(call.getArgOperand(0)) == 0xffffffff)
      report(call.getDebugLoc(), 32, "a mask names 32 lanes");
    // CUDA's.
    if (returns_lanes(name) && call.getType()->isIntegerTy(32) && !call.use_empty())
      report(call.getDebugLoc(), 32, kept_in_32_bits);
    if (!is_shuffle(name)) return;
    for (const unsigned size : sizes) {
      const std::optional<std::uint64_t> lane = number(lane_of(call, name));
      const bool is_width = number(width_of(call, name)) == size;
      if (is_width || lane == size - 1)
        report(call.getDebugLoc(), size, "a width or a lane is that of " + llvm::Twine(size) + " lanes", true,
               is_width ? size : size - 1);
      if (lane == size || lane == size / 2) report(call.getDebugLoc(), size, may_be_a_step, true, lane);
    }
  }

  /// Behind the value of HIP's shuffles are a distance or a lane, a width and the place; behind that of the device
  /// library's a mask and the place. The value may be several arguments. Null: there is none.
  static const llvm::Value* argument_before_end(const llvm::CallBase& call, unsigned distance) {
    if (call.arg_size() <= distance) return nullptr;
    const llvm::Value* const found = call.getArgOperand(call.arg_size() - distance);
    return found->getType()->isIntegerTy() ? found : nullptr;
  }
  static const llvm::Value* width_of(const llvm::CallBase& call, llvm::StringRef name) {
    return name.starts_with("__") ? argument_before_end(call, 2) : nullptr;
  }
  static const llvm::Value* lane_of(const llvm::CallBase& call, llvm::StringRef name) {
    return argument_before_end(call, name == "broadcast" ? 2 : 3);
  }

  /// `threadIdx.x / 32`, `% 32`, `& 31`, `>> 5`, but not where 32 is the side of a tile. With an operation of a warp
  /// beside it, what a variable keeps as the lane is one.
  void search_number(const llvm::Instruction& each) {
    const unsigned size = size_in_number(each);
    if (size != 0 && (is_about_warps_ || warps_.contains(&each)))
      report(each.getDebugLoc(), size, "a lane's or a warp's number is computed for " + llvm::Twine(size) + " lanes",
             is_about_warps_ && lanes_.contains(&each), number(each.getOperand(1)));
  }

  static unsigned size_in_number(const llvm::Instruction& each) {
    if (!each.isBinaryOp() || !is_thread(each.getOperand(0))) return 0;
    const std::optional<std::uint64_t> right = number(each.getOperand(1));
    if (!right) return 0;
    std::uint64_t size = 0;
    switch (each.getOpcode()) {
      case llvm::Instruction::UDiv:
      case llvm::Instruction::SDiv:
      case llvm::Instruction::URem:
      case llvm::Instruction::SRem:
        size = *right;
        break;
      case llvm::Instruction::And:
        size = *right + 1;
        break;
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr:
        size = *right < 32 ? std::uint64_t{1} << *right : 0;
        break;
      default:
        break;
    }
    return size == 32 || size == 64 ? static_cast<unsigned>(size) : 0;
  }

  /// By its name, or by how the program asks for it.
  bool is_known_lane(const llvm::Value* value) const {
    value = converted(value);
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(value);
    return lanes_.contains(value) || (call != nullptr && operation_name(*call) == "__lane_id");
  }

  bool is_lane(const llvm::Value* value) const {
    if (is_known_lane(value)) return true;
    if (!is_about_warps_) return false;
    const auto* const rest = llvm::dyn_cast<llvm::BinaryOperator>(converted(value));
    const bool is_rest = rest != nullptr &&
                         (rest->getOpcode() == llvm::Instruction::And || rest->getOpcode() == llvm::Instruction::URem ||
                          rest->getOpcode() == llvm::Instruction::SRem);
    return is_rest && is_thread(rest->getOperand(0)) &&
           (size_in_number(*rest) != 0 || reads_warp_size(rest->getOperand(1)));
  }

  /// `1u << lane`, `lane == 31`.
  void search_bit(const llvm::Instruction& each) {
    if (each.getType()->isIntegerTy(32) && match(&each, m_Shl(m_One(), m_Value())) && is_lane(each.getOperand(1)))
      report(each.getDebugLoc(), 32, "a lane's bit is shifted in 32 bits");
    const auto* const compared = llvm::dyn_cast<llvm::ICmpInst>(&each);
    if (compared == nullptr || !compared->isEquality() || !is_lane(compared->getOperand(0))) return;
    for (const unsigned size : sizes) {
      if (number(compared->getOperand(1)) == size - 1)
        report(each.getDebugLoc(), size, llvm::Twine(size - 1) + " is taken for the last lane",
               is_known_lane(compared->getOperand(0)), size - 1);
    }
  }

  /// The set of lanes that the value is made of; null: it is none.
  static const llvm::Value* set_of_lanes(const llvm::Value* value) {
    llvm::SmallSetVector<const llvm::Value*, 8> parts;
    parts.insert(value);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(parts[i]);
      if (call != nullptr && returns_lanes(operation_name(*call))) return call;
      const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(parts[i]);
      if (instruction != nullptr &&
          (instruction->isBitwiseLogicOp() || llvm::isa<llvm::PHINode, llvm::SelectInst>(instruction)))
        parts.insert(instruction->value_op_begin(), instruction->value_op_end());
    }
    return nullptr;
  }

  /// `unsigned above = __ballot(p)`, `__popc(__ballot(p))`; but not one of two halves.
  void search_cut(const llvm::Instruction& each) {
    const auto* const cut = llvm::dyn_cast<llvm::TruncInst>(&each);
    if (cut == nullptr || !cut->getType()->isIntegerTy(32)) return;
    const llvm::Value* const whole = set_of_lanes(cut->getOperand(0));
    if (whole == nullptr) return;
    const auto is_other_half = [](const llvm::User* user) { return match(user, m_Shr(m_Value(), m_SpecificInt(32))); };
    if (llvm::none_of(whole->users(), is_other_half) && llvm::none_of(cut->getOperand(0)->users(), is_other_half))
      report(each.getDebugLoc(), 32, kept_in_32_bits);
  }

  /// `for (d = 16; d > 0; d /= 2)` and `for (d = 1; d < 32; d *= 2)` around a shuffle by d; `for (i = threadIdx.x; i <
  /// n; i += 32)`.
  void search_loop(const llvm::Loop& loop) {
    const llvm::BasicBlock* const before = loop.getLoopPredecessor();
    if (before == nullptr) return;
    for (const llvm::PHINode& each : loop.getHeader()->phis()) {
      const llvm::Value* const first = each.getIncomingValueForBlock(before);
      if (!each.getType()->isIntegerTy()) continue;
      for (const unsigned size : sizes) {
        if (is_about_warps_ && is_thread(first) && llvm::any_of(each.incoming_values(), [&](const llvm::Use& next) {
              return is_sum(next.get(), &each, size);
            }))
          report_loop(loop, size, false, size);
      }
      const llvm::CallBase* const shuffle = shuffle_by(each, loop);
      if (shuffle == nullptr) continue;
      for (const unsigned size : sizes) {
        const std::optional<std::uint64_t> bound = number(first) == size / 2 ? size / 2 : bound_of(each, size);
        if (bound) report_loop(loop, size, true, *bound);
      }
      const llvm::Value* const width = width_of(*shuffle, operation_name(*shuffle));
      const bool ends_at_warp = llvm::any_of(each.users(), [](const llvm::User* user) {
        return llvm::isa<llvm::ICmpInst>(user) && llvm::any_of(user->operands(), reads_warp_size_or_half);
      });
      if (width != nullptr && reads_warp_size(width) && (reads_warp_size_or_half(first) || ends_at_warp))
        report(loop.getStartLoc(), 0, may_be_a_step);
    }
  }

  static bool is_sum(const llvm::Value* value, const llvm::Value* one, std::uint64_t other) {
    if (const auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(value)) {
      const auto* const checked = llvm::dyn_cast<llvm::WithOverflowInst>(part->getAggregateOperand());
      return checked != nullptr && checked->getBinaryOp() == llvm::Instruction::Add &&
             converted(checked->getLHS()) == one && number(checked->getRHS()) == other;
    }
    const auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(converted(value));
    return sum != nullptr && sum->getOpcode() == llvm::Instruction::Add && converted(sum->getOperand(0)) == one &&
           number(sum->getOperand(1)) == other;
  }

  static const llvm::CallBase* shuffle_by(const llvm::PHINode& distance, const llvm::Loop& loop) {
    for (const llvm::BasicBlock* const block : loop.blocks()) {
      for (const llvm::Instruction& each : *block) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(&each);
        if (call == nullptr) continue;
        const std::string name = operation_name(*call);
        if (!is_shuffle(name)) continue;
        const llvm::Value* const lane = lane_of(*call, name);
        if (lane != nullptr && converted(lane) == &distance) return call;
      }
    }
    return nullptr;
  }

  /// 32 of `d < 32` and `d != 32`, 16 of `d <= 16`; nothing: it goes elsewhere.
  static std::optional<std::uint64_t> bound_of(const llvm::PHINode& variable, unsigned size) {
    for (const llvm::User* const user : variable.users()) {
      const auto* const compared = llvm::dyn_cast<llvm::ICmpInst>(user);
      if (compared == nullptr || compared->getOperand(0) != &variable) continue;
      const std::optional<std::uint64_t> bound = number(compared->getOperand(1));
      switch (compared->getPredicate()) {
        case llvm::CmpInst::ICMP_SLT:
        case llvm::CmpInst::ICMP_ULT:
        case llvm::CmpInst::ICMP_NE:
          if (bound == size) return bound;
          break;
        case llvm::CmpInst::ICMP_SLE:
        case llvm::CmpInst::ICMP_ULE:
          if (bound == size / 2) return bound;
          break;
        default:
          break;
      }
    }
    return {};
  }

  const value_set &lanes_, &warps_;
  const bool is_about_warps_;
  places& found_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
};

/// What is kept in variables whose names are of that kind.
template <class IsName>
std::vector<llvm::WeakTrackingVH> values_named(llvm::Function& function, const IsName& is_name) {
  std::vector<llvm::WeakTrackingVH> found;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(each.getDbgRecordRange())) {
      if (!record.isDbgDeclare() || !is_name(record.getVariable()->getName())) continue;
      for (const llvm::User* const user : record.getAddress()->users()) {
        const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
        if (store != nullptr && store->getPointerOperand() == record.getAddress() &&
            store->getValueOperand()->getType()->isIntegerTy())
          found.emplace_back(const_cast<llvm::Value*>(converted(store->getValueOperand())));
      }
    }
  }
  return found;
}

/// Whether it is a lane's number.
bool is_name_of_lane(llvm::StringRef name) {
  static const llvm::StringSet<> names{"lane", "lane_id", "laneId", "laneid", "laneID", "lane_idx", "laneIdx", "lid"};
  return names.contains(name);
}

value_set set_of(const std::vector<llvm::WeakTrackingVH>& handles) {
  value_set set;
  for (const llvm::WeakTrackingVH& value : handles) {
    if (value) set.insert(converted(value));
  }
  return set;
}

void promote_variables(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& each : function.getEntryBlock()) {
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&each);
    if (variable != nullptr && llvm::isAllocaPromotable(variable)) variables.push_back(variable);
  }
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(variables, dominators);
}

bool has_number_32(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& each) {
    return llvm::any_of(each.operands(), [](const llvm::Use& operand) {
      return llvm::isa<llvm::ConstantInt>(operand) && number(operand) == 32;
    });
  });
}

}  // namespace

void list_warp_sizes(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& each : module) {
    if (!each.isDeclaration() && each.getSubprogram() != nullptr && !is_of_machine(each)) functions.push_back(&each);
  }
  const llvm::DenseSet<const llvm::Function*> about_warps = functions_about_warps(functions);
  warp_size_search::places found;
  template_numbers numbers;
  bool has_32 = false;
  for (llvm::Function* const each : functions) {
    numbers.add(*each);
    llvm::ValueToValueMapTy values;
    llvm::Function* const copy = llvm::CloneFunction(each, values);
    // The handles follow what becomes of a value.
    const std::vector<llvm::WeakTrackingVH> lanes = values_named(*copy, is_name_of_lane),
                                            warps = values_named(*copy, says_warp);
    promote_variables(*copy);
    has_32 = has_32 || has_number_32(*copy);
    const warp_size_search search(*copy, set_of(lanes), set_of(warps), about_warps.contains(each), found);
    copy->eraseFromParent();
  }
  std::string list;
  for (const auto& [place, assumption] : found) {
    const auto& [file, line, size] = place;
    const std::string& place_file = file;
    const unsigned place_line = line;
    if (size == 0 && !has_32) continue;
    const bool is_argument = !assumption.is_written && llvm::all_of(assumption.numbers, [&](std::uint64_t each) {
      return numbers.is_argument(place_file, place_line, each);
    });
    if (is_argument) continue;
    list += file + '\t' + std::to_string(line) + '\t' + std::to_string(size) + '\t' + assumption.reason + '\t' +
            (assumption.is_of_lanes ? '1' : '0') + '\n';
  }
  if (list.empty()) return;
  for (const llvm::DICompileUnit* const each : module.debug_compile_units()) list += file_row(*each->getFile()) + '\n';
  add_list(module, WARPZ_WARP_SIZE_LIST_SECTION, list);
}

}  // namespace warpz::instrument

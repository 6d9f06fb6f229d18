// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/ptx_registers.hpp"

#include <cctype>
#include <cstdlib>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace warpz::instrument {
namespace {

/// `0f3F800000` and `0d…` are the bits of a float; others are numbers.
bool read_number(llvm::StringRef text, unsigned long long& bits) {
  const bool is_negative = text.consume_front("-");
  text.consume_back("U");
  const bool is_of_float = text.starts_with_insensitive("0f") || text.starts_with_insensitive("0d");
  if (is_of_float ? text.drop_front(2).getAsInteger(16, bits) : text.getAsInteger(0, bits)) return false;
  if (is_negative) bits = 0 - bits;
  return true;
}

struct special_register {
  llvm::StringLiteral name;
  llvm::StringLiteral function;  ///< of the machine's, which gives its value
};

constexpr special_register special_registers[] = {
    {"%laneid", "__warpz_ptx_laneid"},
    {"%warpid", "__warpz_ptx_warpid"},
    {"%lanemask_lt", "__warpz_ptx_lanemask_lt"},
    {"%lanemask_le", "__warpz_ptx_lanemask_le"},
    {"%lanemask_eq", "__warpz_ptx_lanemask_eq"},
    {"%lanemask_ge", "__warpz_ptx_lanemask_ge"},
    {"%lanemask_gt", "__warpz_ptx_lanemask_gt"},
    {"%clock", "__warpz_ptx_clock"},
    {"%clock64", "__warpz_ptx_clock"},
    {"%globaltimer", "__warpz_ptx_clock"},
    {"%tid.x", "__warpz_ptx_tid_x"},
    {"%tid.y", "__warpz_ptx_tid_y"},
    {"%tid.z", "__warpz_ptx_tid_z"},
    {"%ntid.x", "__warpz_ptx_ntid_x"},
    {"%ntid.y", "__warpz_ptx_ntid_y"},
    {"%ntid.z", "__warpz_ptx_ntid_z"},
    {"%ctaid.x", "__warpz_ptx_ctaid_x"},
    {"%ctaid.y", "__warpz_ptx_ctaid_y"},
    {"%ctaid.z", "__warpz_ptx_ctaid_z"},
    {"%nctaid.x", "__warpz_ptx_nctaid_x"},
    {"%nctaid.y", "__warpz_ptx_nctaid_y"},
    {"%nctaid.z", "__warpz_ptx_nctaid_z"},
};

}  // namespace

ptx_registers::ptx_registers(llvm::CallInst& call) : builder(&call), call_(call) {
  const auto& assembly = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const auto constraints = assembly.ParseConstraints();
  const auto output_type = [&](std::size_t number) {
    auto* const fields = llvm::dyn_cast<llvm::StructType>(call.getType());
    return fields != nullptr ? fields->getElementType(static_cast<unsigned>(number)) : call.getType();
  };
  std::size_t number = 0;
  unsigned argument = 0;
  for (const llvm::InlineAsm::ConstraintInfo& each : constraints) {
    if (each.Type != llvm::InlineAsm::isOutput && each.Type != llvm::InlineAsm::isInput) continue;
    const std::string name = "$" + std::to_string(number);
    const bool is_memory = each.isIndirect;
    const std::string code = each.Codes.empty() ? "" : each.Codes.front();
    if (each.Type == llvm::InlineAsm::isInput && !code.empty() && std::isdigit(static_cast<unsigned char>(code[0]))) {
      // It is an output, too: "+r".
      values_["$" + code] = call.getArgOperand(argument++);
    } else if (each.Type == llvm::InlineAsm::isInput || is_memory) {
      values_[name] = call.getArgOperand(argument++);
    } else {
      types_[name] = output_type(outputs_.size());
      outputs_.push_back(name);
    }
    ++number;
  }
}

std::optional<ptx_type> ptx_registers::type_of(llvm::StringRef name) {
  if (name == "pred") return ptx_type{builder.getInt1Ty(), false, false};
  unsigned bits = 0;
  if (name.size() < 2 || name.drop_front().getAsInteger(10, bits)) return std::nullopt;
  if (name.front() == 'f') {
    if (bits == 16) return ptx_type{builder.getHalfTy(), true, true};
    if (bits == 32) return ptx_type{builder.getFloatTy(), true, true};
    if (bits == 64) return ptx_type{builder.getDoubleTy(), true, true};
    return std::nullopt;
  }
  const bool is_kind = name.front() == 'b' || name.front() == 'u' || name.front() == 's';
  if (!is_kind || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) return std::nullopt;
  return ptx_type{builder.getIntNTy(bits), name.front() == 's', false};
}

std::optional<ptx_type> ptx_registers::type_of(const ptx_instruction& one) { return type_of(one.name.back()); }

bool ptx_registers::declare(const std::string& name, llvm::StringRef type) {
  const std::optional<ptx_type> known = type_of(type);
  if (known) types_[name] = known->type;
  return known.has_value();
}

llvm::Value* ptx_registers::converted(llvm::Value* value, llvm::Type* type, bool is_signed) {
  llvm::Type* const from = value->getType();
  if (from == type) return value;
  if (from->isPointerTy()) value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  if (from->isFloatingPointTy()) {
    value = builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(from->getPrimitiveSizeInBits())));
  }
  if (!value->getType()->isIntegerTy()) return nullptr;
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  if (!type->isIntegerTy() && !type->isFloatingPointTy()) return nullptr;
  value = is_signed ? builder.CreateSExtOrTrunc(value, builder.getIntNTy(bits))
                    : builder.CreateZExtOrTrunc(value, builder.getIntNTy(bits));
  return type->isIntegerTy() ? value : builder.CreateBitCast(value, type);
}

llvm::Value* ptx_registers::special(llvm::StringRef name) {
  for (const special_register& each : special_registers) {
    if (each.name == name) return call_machine(each.function, "mov");
  }
  return nullptr;
}

llvm::Value* ptx_registers::read(llvm::StringRef operand, const ptx_type& type) {
  const std::string name = operand.str();
  if (const auto found = values_.find(name); found != values_.end()) {
    return converted(found->second, type.type, type.is_signed);
  }
  // Nobody has set it.
  if (types_.count(name) != 0) return llvm::Constant::getNullValue(type.type);
  if (operand.starts_with("%")) {
    llvm::Value* const value = special(operand);
    return value != nullptr ? converted(value, type.type, false) : nullptr;
  }
  unsigned long long bits = 0;
  if (!read_number(operand, bits)) return nullptr;
  llvm::APInt number(64, bits);
  number = number.zextOrTrunc(type.bits());
  return converted(builder.getInt(number), type.type, false);
}

llvm::Value* ptx_registers::read_bits(llvm::StringRef operand, unsigned bits) {
  return read(operand, {builder.getIntNTy(bits), false, false});
}

llvm::Value* ptx_registers::read_address(llvm::StringRef name) {
  const auto found = values_.find(name.str());
  if (found == values_.end()) return nullptr;
  llvm::Type* const type = found->second->getType();
  return type->isPointerTy() || type->isIntegerTy(64) ? converted(found->second, builder.getInt64Ty(), false) : nullptr;
}

llvm::Value* ptx_registers::read_predicate(llvm::StringRef operand) {
  const bool is_negated = operand.consume_front("!");
  llvm::Value* value = nullptr;
  if (const auto found = values_.find(operand.str()); found != values_.end()) {
    value = builder.CreateIsNotNull(converted(found->second, found->second->getType(), false));
  } else {
    value = read(operand, {builder.getInt1Ty(), false, false});
  }
  return value != nullptr && is_negated ? builder.CreateNot(value) : value;
}

bool ptx_registers::write(llvm::StringRef operand, llvm::Value* value, bool is_signed) {
  if (operand == "_") return true;
  const auto type = types_.find(operand.str());
  if (value == nullptr || type == types_.end()) return false;
  llvm::Value* const held = converted(value, type->second, is_signed);
  if (held == nullptr) return false;
  values_[operand.str()] = held;
  return true;
}

llvm::Value* ptx_registers::call_machine(llvm::StringRef function, llvm::StringRef operation,
                                         llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Function* const called = call_.getModule()->getFunction(function);
  if (called == nullptr || called->arg_size() != arguments.size() + 3) return nullptr;
  const llvm::DILocation* const place = call_.getDebugLoc();
  std::vector<llvm::Value*> all = {builder.CreateGlobalString(operation),
                                   builder.CreateGlobalString(place != nullptr ? place->getFilename() : ""),
                                   builder.getInt32(place != nullptr ? place->getLine() : 0)};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == nullptr) return nullptr;
    all.push_back(converted(arguments[i], called->getArg(static_cast<unsigned>(i) + 3)->getType(), false));
  }
  return builder.CreateCall(called, all);
}

void ptx_registers::begin_branch(llvm::Value* condition) {
  llvm::Instruction* const end = llvm::SplitBlockAndInsertIfThen(condition, &call_, false);
  builder.SetInsertPoint(end);
  builder.SetCurrentDebugLocation(call_.getDebugLoc());
}

void ptx_registers::end_branch(llvm::BasicBlock* from, const std::map<std::string, llvm::Value*>& before) {
  llvm::BasicBlock* const end = builder.GetInsertBlock();
  builder.SetInsertPoint(&call_);
  builder.SetCurrentDebugLocation(call_.getDebugLoc());
  for (auto& [name, value] : values_) {
    const auto found = before.find(name);
    if (found != before.end() && found->second == value) continue;
    llvm::PHINode* const joined = builder.CreatePHI(value->getType(), 2);
    joined->addIncoming(value, end);
    llvm::Value* const old = found != before.end() ? found->second : llvm::Constant::getNullValue(value->getType());
    joined->addIncoming(old, from);
    value = joined;
  }
  // Nothing may carry on from an instruction that may not have run.
  carry = nullptr;
}

void ptx_registers::replace_result() {
  const auto value_of = [&](const std::string& name) -> llvm::Value* {
    const auto found = values_.find(name);
    return found != values_.end() ? converted(found->second, types_[name], false)
                                  : llvm::Constant::getNullValue(types_[name]);
  };
  if (outputs_.empty()) return;
  llvm::Value* result = nullptr;
  if (call_.getType()->isStructTy()) {
    result = llvm::PoisonValue::get(call_.getType());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      result = builder.CreateInsertValue(result, value_of(outputs_[i]), static_cast<unsigned>(i));
    }
  } else {
    result = value_of(outputs_.front());
  }
  call_.replaceAllUsesWith(result);
}

}  // namespace warpz::instrument

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "llvm/IR/Intrinsics.h"

#include "instrument/ptx_instructions.hpp"

namespace warpz::instrument {
namespace {

/// Where a kind of instruction has all that it needs.
struct instruction_operands {
  ptx_registers& registers;
  const ptx_instruction& one;
  ptx_type type;
  llvm::IRBuilder<>& builder;

  std::size_t count() const { return one.operands.size(); }
  llvm::Value* operator[](std::size_t number) const { return registers.read(one.operands[number], type); }
  bool give(llvm::Value* result) const { return registers.write(one.operands[0], result, type.is_signed); }
};

bool has_other_words(const ptx_instruction& one, std::initializer_list<llvm::StringRef> known) {
  for (std::size_t i = 1; i + 1 < one.name.size(); ++i) {
    if (!llvm::is_contained(known, one.name[i])) return true;
  }
  return false;
}

/// `+` and `-`, and those that carry on from the instruction before: add.cc, addc.
bool build_sum(const instruction_operands& of, bool is_difference, bool has_carry) {
  llvm::IRBuilder<>& builder = of.builder;
  if (of.count() != 3 || has_other_words(of.one, {"cc", "rn", "ftz"})) return false;
  llvm::Value* const a = of[1];
  llvm::Value* const b = of[2];
  if (a == nullptr || b == nullptr) return false;
  if (of.type.is_float) return of.give(is_difference ? builder.CreateFSub(a, b) : builder.CreateFAdd(a, b));
  if (!has_carry && !of.one.has("cc"))
    return of.give(is_difference ? builder.CreateSub(a, b) : builder.CreateAdd(a, b));
  // One bit more shows what is carried.
  llvm::Type* const wide = builder.getIntNTy(of.type.bits() + 2);
  llvm::Value* carry = builder.getIntN(of.type.bits() + 2, 0);
  if (has_carry) {
    if (of.registers.carry == nullptr) return false;
    carry = builder.CreateZExt(of.registers.carry, wide);
  }
  llvm::Value* const wide_a = builder.CreateZExt(a, wide);
  llvm::Value* const wide_b = builder.CreateZExt(b, wide);
  llvm::Value* const sum = is_difference ? builder.CreateSub(builder.CreateSub(wide_a, wide_b), carry)
                                         : builder.CreateAdd(builder.CreateAdd(wide_a, wide_b), carry);
  if (of.one.has("cc")) {
    of.registers.carry = builder.CreateTrunc(builder.CreateLShr(sum, of.type.bits()), builder.getInt1Ty());
  }
  return of.give(builder.CreateTrunc(sum, of.type.type));
}

llvm::Value* extended(const instruction_operands& of, llvm::Value* value) {
  llvm::Type* const wide = of.builder.getIntNTy(2 * of.type.bits());
  return of.type.is_signed ? of.builder.CreateSExt(value, wide) : of.builder.CreateZExt(value, wide);
}

/// The product of integers as .lo, .hi or .wide says.
llvm::Value* product(const instruction_operands& of) {
  llvm::Value* const a = of[1];
  llvm::Value* const b = of[2];
  if (a == nullptr || b == nullptr) return nullptr;
  if (of.one.has("lo")) return of.builder.CreateMul(a, b);
  llvm::Value* const wide = of.builder.CreateMul(extended(of, a), extended(of, b));
  if (of.one.has("wide")) return wide;
  if (!of.one.has("hi")) return nullptr;
  return of.builder.CreateTrunc(of.builder.CreateLShr(wide, of.type.bits()), of.type.type);
}

/// Rounded to nearest by LLVM, and towards zero by the machine.
bool build_rounded(const instruction_operands& of) {
  const bool is_fused = of.one.name[0] != "mul";
  if (of.count() != (is_fused ? 4 : 3) || has_other_words(of.one, {"rn", "rz", "ftz"})) return false;
  llvm::Value* const a = of[1];
  llvm::Value* const b = of[2];
  llvm::Value* const c = is_fused ? of[3] : nullptr;
  if (a == nullptr || b == nullptr || (is_fused && c == nullptr)) return false;
  if (of.one.has("rz")) {
    if (of.type.bits() != 32) return false;
    std::vector<llvm::Value*> arguments = {a, b};
    if (is_fused) arguments.push_back(c);
    return of.give(
        of.registers.call_machine(is_fused ? "__warpz_ptx_fma_rz" : "__warpz_ptx_mul_rz", of.one.name[0], arguments));
  }
  return of.give(is_fused ? of.builder.CreateIntrinsic(llvm::Intrinsic::fma, {of.type.type}, {a, b, c})
                          : of.builder.CreateFMul(a, b));
}

bool build_product(const instruction_operands& of) {
  if (of.type.is_float) return build_rounded(of);
  const bool is_sum = of.one.name[0] == "mad";
  if (of.count() != (is_sum ? 4 : 3) || has_other_words(of.one, {"lo", "hi", "wide"})) return false;
  llvm::Value* result = product(of);
  if (result == nullptr) return false;
  if (is_sum) {
    const auto bits = static_cast<unsigned>(result->getType()->getIntegerBitWidth());
    llvm::Value* const added = of.registers.read_bits(of.one.operands[3], bits);
    if (added == nullptr) return false;
    result = of.builder.CreateAdd(result, added);
  }
  return of.give(result);
}

llvm::Value* quotient(const instruction_operands& of, llvm::Value* a, llvm::Value* b, bool is_rest) {
  if (of.type.is_float) return is_rest ? nullptr : of.builder.CreateFDiv(a, b);
  if (is_rest) return of.type.is_signed ? of.builder.CreateSRem(a, b) : of.builder.CreateURem(a, b);
  return of.type.is_signed ? of.builder.CreateSDiv(a, b) : of.builder.CreateUDiv(a, b);
}

llvm::Value* extreme(const instruction_operands& of, llvm::Value* a, llvm::Value* b, bool is_least) {
  namespace intrinsic = llvm::Intrinsic;
  const intrinsic::ID function = of.type.is_float    ? (is_least ? intrinsic::minnum : intrinsic::maxnum)
                                 : of.type.is_signed ? (is_least ? intrinsic::smin : intrinsic::smax)
                                                     : (is_least ? intrinsic::umin : intrinsic::umax);
  return of.builder.CreateBinaryIntrinsic(function, a, b);
}

/// Shifts by the type's width and more leave 0, or the sign.
llvm::Value* shifted(const instruction_operands& of, bool is_left) {
  llvm::IRBuilder<>& builder = of.builder;
  llvm::Value* const value = of[1];
  llvm::Value* const distance = of.registers.read_bits(of.one.operands[2], 32);
  if (value == nullptr || distance == nullptr) return nullptr;
  llvm::Value* const is_far = builder.CreateICmpUGE(distance, builder.getInt32(of.type.bits()));
  llvm::Value* const most = builder.getInt32(of.type.bits() - 1);
  llvm::Value* const near = builder.CreateZExtOrTrunc(builder.CreateSelect(is_far, most, distance), of.type.type);
  if (!is_left && of.type.is_signed) return builder.CreateAShr(value, near);
  llvm::Value* const result = is_left ? builder.CreateShl(value, near) : builder.CreateLShr(value, near);
  return builder.CreateSelect(is_far, llvm::Constant::getNullValue(of.type.type), result);
}

/// Null for a name that is none of these.
llvm::Value* binary(const instruction_operands& of, const std::string& name) {
  llvm::IRBuilder<>& builder = of.builder;
  if (name == "shl" || name == "shr") return shifted(of, name == "shl");
  llvm::Value* const a = of[1];
  llvm::Value* const b = of[2];
  if (a == nullptr || b == nullptr) return nullptr;
  if (name == "div" || name == "rem") return quotient(of, a, b, name == "rem");
  if (name == "min" || name == "max") return extreme(of, a, b, name == "min");
  if (of.type.is_float) return nullptr;
  if (name == "and") return builder.CreateAnd(a, b);
  if (name == "or") return builder.CreateOr(a, b);
  return name == "xor" ? builder.CreateXor(a, b) : nullptr;
}

llvm::Value* unary(const instruction_operands& of, const std::string& name) {
  llvm::IRBuilder<>& builder = of.builder;
  llvm::Value* const a = of[1];
  if (a == nullptr) return nullptr;
  if (!of.type.is_float) {
    if (name == "not") return builder.CreateNot(a);
    if (name == "neg") return builder.CreateNeg(a);
    if (name == "abs") return builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, builder.getFalse());
    return nullptr;
  }
  if (name == "neg") return builder.CreateFNeg(a);
  if (name == "abs") return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, a);
  if (name == "sqrt") return builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a);
  if (name == "ex2") return builder.CreateUnaryIntrinsic(llvm::Intrinsic::exp2, a);
  if (name == "lg2") return builder.CreateUnaryIntrinsic(llvm::Intrinsic::log2, a);
  if (name == "sin") return builder.CreateUnaryIntrinsic(llvm::Intrinsic::sin, a);
  if (name == "cos") return builder.CreateUnaryIntrinsic(llvm::Intrinsic::cos, a);
  llvm::Constant* const unit = llvm::ConstantFP::get(of.type.type, 1.0);
  if (name == "rcp") return builder.CreateFDiv(unit, a);
  if (name == "rsqrt") return builder.CreateFDiv(unit, builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, a));
  return nullptr;
}

/// mov d, a; mov.b64 d, {low, high}; mov.b64 {low, high}, a.
bool build_move(const instruction_operands& of) {
  llvm::IRBuilder<>& builder = of.builder;
  if (of.count() != 2 || of.one.name.size() != 2) return false;
  llvm::StringRef to = of.one.operands[0], from = of.one.operands[1];
  const auto parts_of = [](llvm::StringRef list) { return ptx_parts(list.drop_front().drop_back()); };
  if (to.starts_with("{")) {
    const std::vector<std::string> parts = parts_of(to);
    const unsigned bits = of.type.bits() / static_cast<unsigned>(std::max<std::size_t>(parts.size(), 1));
    llvm::Value* const value = of.registers.read_bits(from, of.type.bits());
    if (value == nullptr) return false;
    for (unsigned i = 0; i < parts.size(); ++i) {
      llvm::Value* const part = builder.CreateTrunc(builder.CreateLShr(value, i * bits), builder.getIntNTy(bits));
      if (!of.registers.write(parts[i], part)) return false;
    }
    return true;
  }
  if (!from.starts_with("{")) return of.give(of[1]);
  const std::vector<std::string> parts = parts_of(from);
  const unsigned bits = of.type.bits() / static_cast<unsigned>(std::max<std::size_t>(parts.size(), 1));
  llvm::Type* const whole = builder.getIntNTy(of.type.bits());
  llvm::Value* result = llvm::Constant::getNullValue(whole);
  for (unsigned i = 0; i < parts.size(); ++i) {
    llvm::Value* const part = of.registers.read_bits(parts[i], bits);
    if (part == nullptr) return false;
    result = builder.CreateOr(result, builder.CreateShl(builder.CreateZExt(part, whole), i * bits));
  }
  return of.give(result);
}

std::optional<llvm::CmpInst::Predicate> comparison(const ptx_type& type, llvm::StringRef name) {
  using compare = llvm::CmpInst;
  if (name == "eq") return type.is_float ? compare::FCMP_OEQ : compare::ICMP_EQ;
  if (name == "ne") return type.is_float ? compare::FCMP_ONE : compare::ICMP_NE;
  const bool is_signed = type.is_signed;
  if (name == "lt" || name == "lo")
    return type.is_float ? compare::FCMP_OLT : is_signed ? compare::ICMP_SLT : compare::ICMP_ULT;
  if (name == "le" || name == "ls")
    return type.is_float ? compare::FCMP_OLE : is_signed ? compare::ICMP_SLE : compare::ICMP_ULE;
  if (name == "gt" || name == "hi")
    return type.is_float ? compare::FCMP_OGT : is_signed ? compare::ICMP_SGT : compare::ICMP_UGT;
  if (name == "ge" || name == "hs")
    return type.is_float ? compare::FCMP_OGE : is_signed ? compare::ICMP_SGE : compare::ICMP_UGE;
  if (!type.is_float) return std::nullopt;
  if (name == "equ") return compare::FCMP_UEQ;
  if (name == "neu") return compare::FCMP_UNE;
  if (name == "ltu") return compare::FCMP_ULT;
  if (name == "leu") return compare::FCMP_ULE;
  if (name == "gtu") return compare::FCMP_UGT;
  if (name == "geu") return compare::FCMP_UGE;
  if (name == "num") return compare::FCMP_ORD;
  if (name == "nan") return compare::FCMP_UNO;
  return std::nullopt;
}

/// setp.lt.s32 p, a, b and p|q, where q is the contrary; setp.lt.and.s32 p, a, b, c.
bool build_comparison(const instruction_operands& of) {
  llvm::IRBuilder<>& builder = of.builder;
  const std::optional<llvm::CmpInst::Predicate> how = comparison(of.type, of.one.name[1]);
  if (!how || of.count() < 3) return false;
  llvm::Value* const a = of[1];
  llvm::Value* const b = of[2];
  if (a == nullptr || b == nullptr) return false;
  llvm::Value* const holds = builder.CreateCmp(*how, a, b);
  llvm::Value *result = holds, *contrary = builder.CreateNot(holds);
  const std::string joined = of.one.name.size() > 3 ? of.one.name[2] : "";
  if (of.count() == 4) {
    llvm::Value* const c = of.registers.read_predicate(of.one.operands[3]);
    if (c == nullptr) return false;
    const auto join = [&](llvm::Value* value) -> llvm::Value* {
      if (joined == "and") return builder.CreateAnd(value, c);
      if (joined == "or") return builder.CreateOr(value, c);
      return joined == "xor" ? builder.CreateXor(value, c) : nullptr;
    };
    result = join(result);
    contrary = join(contrary);
  }
  const auto [first, second] = llvm::StringRef(of.one.operands[0]).split('|');
  return of.registers.write(first, result) && (second.empty() || of.registers.write(second, contrary));
}

bool build_selection(const instruction_operands& of) {
  if (of.count() != 4) return false;
  llvm::Value* const a = of[1];
  llvm::Value* const b = of[2];
  llvm::Value* const condition = of.registers.read_predicate(of.one.operands[3]);
  if (a == nullptr || b == nullptr || condition == nullptr) return false;
  return of.give(of.builder.CreateSelect(condition, a, b));
}

/// To an integer that holds what it can, as GPUs do.
llvm::Value* rounded_integer(llvm::IRBuilder<>& builder, const ptx_instruction& one, llvm::Value* value,
                             const ptx_type& to) {
  namespace intrinsic = llvm::Intrinsic;
  const intrinsic::ID rounding = one.has("rni")   ? intrinsic::rint
                                 : one.has("rzi") ? intrinsic::trunc
                                 : one.has("rmi") ? intrinsic::floor
                                 : one.has("rpi") ? intrinsic::ceil
                                                  : intrinsic::not_intrinsic;
  if (rounding == intrinsic::not_intrinsic) return nullptr;
  llvm::Value* const whole = builder.CreateUnaryIntrinsic(rounding, value);
  return builder.CreateIntrinsic(to.is_signed ? intrinsic::fptosi_sat : intrinsic::fptoui_sat,
                                 {to.type, whole->getType()}, {whole});
}

/// cvt.to.from d, a.
bool build_conversion(const instruction_operands& of) {
  llvm::IRBuilder<>& builder = of.builder;
  const std::vector<std::string>& name = of.one.name;
  if (of.count() != 2 || name.size() < 3) return false;
  const std::optional<ptx_type> to = of.registers.type_of(name[name.size() - 2]);
  if (!to) return false;
  for (std::size_t i = 1; i + 2 < name.size(); ++i) {
    if (!llvm::is_contained({"rn", "rni", "rzi", "rmi", "rpi", "ftz"}, name[i])) return false;
  }
  llvm::Value* const value = of[1];
  if (value == nullptr) return false;
  llvm::Value* result = nullptr;
  if (of.type.is_float && to->is_float) {
    result = builder.CreateFPCast(value, to->type);
  } else if (of.type.is_float) {
    result = rounded_integer(builder, of.one, value, *to);
  } else if (to->is_float) {
    result = of.type.is_signed ? builder.CreateSIToFP(value, to->type) : builder.CreateUIToFP(value, to->type);
  } else {
    result =
        of.type.is_signed ? builder.CreateSExtOrTrunc(value, to->type) : builder.CreateZExtOrTrunc(value, to->type);
  }
  return result != nullptr && of.registers.write(of.one.operands[0], result, to->is_signed);
}

}  // namespace

bool build_ptx_arithmetic(ptx_registers& registers, const ptx_instruction& one) {
  const std::optional<ptx_type> type = registers.type_of(one);
  if (!type || one.operands.size() < 2) return false;
  const instruction_operands of{registers, one, *type, registers.builder};
  const std::string& name = one.name[0];
  if (name == "mov") return build_move(of);
  if (name == "add" || name == "addc") return build_sum(of, false, name == "addc");
  if (name == "sub" || name == "subc") return build_sum(of, true, name == "subc");
  if (name == "mul" || name == "mad" || name == "fma") return build_product(of);
  if (name == "setp") return build_comparison(of);
  if (name == "selp") return build_selection(of);
  if (name == "cvt") return build_conversion(of);
  if (name == "cvta" && type->bits() == 64) return of.give(of[1]);
  if (has_other_words(one, {"rn", "approx", "full", "ftz"})) return false;
  llvm::Value* const result = of.count() == 3 ? binary(of, name) : of.count() == 2 ? unary(of, name) : nullptr;
  return result != nullptr && of.give(result);
}

}  // namespace warpz::instrument

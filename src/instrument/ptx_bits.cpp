// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/ptx_instructions.hpp"
#include "llvm/IR/Intrinsics.h"

namespace warpz::instrument {
namespace {

using operand_values = std::vector<llvm::Value*>;

/// `count` bits; all of them for a count of the width and more.
llvm::Value* low_bits(llvm::IRBuilder<>& builder, llvm::Value* count, llvm::Type* type) {
  const unsigned bits = type->getIntegerBitWidth();
  llvm::Value* const is_all = builder.CreateICmpUGE(count, llvm::ConstantInt::get(count->getType(), bits));
  llvm::Value* const near = builder.CreateSelect(is_all, llvm::Constant::getNullValue(count->getType()), count);
  llvm::Value* const unit = llvm::ConstantInt::get(type, 1);
  llvm::Value* const some = builder.CreateSub(builder.CreateShl(unit, builder.CreateZExtOrTrunc(near, type)), unit);
  return builder.CreateSelect(is_all, llvm::Constant::getAllOnesValue(type), some);
}

/// Shifted to the right, or by 0 bits or more to the left; nothing is left at the width and more.
llvm::Value* moved(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* distance, bool is_left) {
  llvm::Type* const type = value->getType();
  llvm::Value* const far =
      builder.CreateICmpUGE(distance, llvm::ConstantInt::get(distance->getType(), type->getIntegerBitWidth()));
  llvm::Value* const near = builder.CreateZExtOrTrunc(
      builder.CreateSelect(far, llvm::Constant::getNullValue(distance->getType()), distance), type);
  llvm::Value* const result = is_left ? builder.CreateShl(value, near) : builder.CreateLShr(value, near);
  return builder.CreateSelect(far, llvm::Constant::getNullValue(type), result);
}

/// Position and length of a field count modulo 256.
llvm::Value* byte_of(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return builder.CreateAnd(value, builder.getInt32(0xff));
}

/// bfe d, a, position, length: beyond the last bit there are zeros, or the sign.
llvm::Value* extracted(llvm::IRBuilder<>& builder, const ptx_type& type, const operand_values& of) {
  const unsigned bits = type.bits();
  llvm::Value* const position = byte_of(builder, of[1]);
  llvm::Value* const length = byte_of(builder, of[2]);
  llvm::Value* const mask = low_bits(builder, length, type.type);
  llvm::Value* const field = builder.CreateAnd(moved(builder, of[0], position, false), mask);
  if (!type.is_signed) return field;
  // The field's highest bit, or the value's where the field goes beyond it.
  llvm::Value* const last = builder.CreateSub(builder.CreateAdd(position, length), builder.getInt32(1));
  llvm::Value* const top = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, last, builder.getInt32(bits - 1));
  llvm::Value* const is_negative = builder.CreateTrunc(moved(builder, of[0], top, false), builder.getInt1Ty());
  llvm::Value* const filled = builder.CreateOr(field, builder.CreateNot(mask));
  // Beyond the value's end all bits are the sign.
  llvm::Value* const is_inside = builder.CreateICmpULT(position, builder.getInt32(bits));
  llvm::Value* const left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, builder.getInt32(bits), position);
  llvm::Value* const own = low_bits(builder, left, type.type);
  llvm::Value* const extended = builder.CreateOr(filled, builder.CreateNot(own));
  llvm::Value* const is_some = builder.CreateICmpNE(length, builder.getInt32(0));
  llvm::Value* const negative = builder.CreateSelect(is_inside, extended, llvm::Constant::getAllOnesValue(type.type));
  return builder.CreateSelect(builder.CreateAnd(is_negative, is_some), negative, field);
}

/// bfi d, a, b, position, length: the lowest bits of a in b.
llvm::Value* inserted(llvm::IRBuilder<>& builder, const ptx_type& type, const operand_values& of) {
  llvm::Value* const position = byte_of(builder, of[2]);
  llvm::Value* const mask = moved(builder, low_bits(builder, byte_of(builder, of[3]), type.type), position, true);
  llvm::Value* const field = builder.CreateAnd(moved(builder, of[0], position, true), mask);
  return builder.CreateOr(field, builder.CreateAnd(of[1], builder.CreateNot(mask)));
}

/// prmt.b32 d, a, b, c: four bytes of the eight, and where the selector has its highest bit, the byte's sign.
llvm::Value* permuted(llvm::IRBuilder<>& builder, const operand_values& of) {
  llvm::Type* const wide = builder.getInt64Ty();
  llvm::Value* const both =
      builder.CreateOr(builder.CreateZExt(of[0], wide), builder.CreateShl(builder.CreateZExt(of[1], wide), 32));
  llvm::Value* result = builder.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    llvm::Value* const selector = builder.CreateLShr(of[2], 4 * i);
    llvm::Value* const number = builder.CreateAnd(selector, builder.getInt32(7));
    llvm::Value* const distance = builder.CreateZExt(builder.CreateShl(number, 3), wide);
    llvm::Value* const byte = builder.CreateTrunc(builder.CreateLShr(both, distance), builder.getInt8Ty());
    llvm::Value* const sign = builder.CreateAShr(byte, 7);
    llvm::Value* const is_sign = builder.CreateTrunc(builder.CreateLShr(selector, 3), builder.getInt1Ty());
    llvm::Value* const chosen = builder.CreateZExt(builder.CreateSelect(is_sign, sign, byte), builder.getInt32Ty());
    result = builder.CreateOr(result, builder.CreateShl(chosen, 8 * i));
  }
  return result;
}

/// lop3.b32 d, a, b, c, table: the table's bit for each combination of bits.
llvm::Value* looked_up(llvm::IRBuilder<>& builder, const operand_values& of) {
  auto* const table = llvm::dyn_cast<llvm::ConstantInt>(of[3]);
  if (table == nullptr) return nullptr;
  llvm::Value* result = builder.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if ((table->getZExtValue() >> row & 1) == 0) continue;
    llvm::Value* term = builder.getInt32(~0u);
    for (unsigned i = 0; i < 3; ++i) {
      const bool is_set = (row >> (2 - i) & 1) != 0;
      term = builder.CreateAnd(term, is_set ? of[i] : builder.CreateNot(of[i]));
    }
    result = builder.CreateOr(result, term);
  }
  return result;
}

/// shf.l and shf.r of the pair b:a, by c modulo 32 or at most 32.
llvm::Value* funnel(llvm::IRBuilder<>& builder, const ptx_instruction& one, const operand_values& of) {
  const bool is_clamped = one.has("clamp");
  if (!is_clamped && !one.has("wrap")) return nullptr;
  llvm::Value* const distance = is_clamped
                                    ? builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, of[2], builder.getInt32(32))
                                    : builder.CreateAnd(of[2], builder.getInt32(31));
  llvm::Type* const wide = builder.getInt64Ty();
  llvm::Value* const both =
      builder.CreateOr(builder.CreateZExt(of[0], wide), builder.CreateShl(builder.CreateZExt(of[1], wide), 32));
  llvm::Value* const by = builder.CreateZExt(distance, wide);
  llvm::Value* const result =
      one.has("l") ? builder.CreateLShr(builder.CreateShl(both, by), 32) : builder.CreateLShr(both, by);
  return builder.CreateTrunc(result, builder.getInt32Ty());
}

/// Of 32 bits, whatever the operand has.
llvm::Value* counted(llvm::IRBuilder<>& builder, const std::string& name, const ptx_type& type, llvm::Value* value) {
  namespace intrinsic = llvm::Intrinsic;
  llvm::Type* const word = builder.getInt32Ty();
  if (name == "popc") return builder.CreateZExtOrTrunc(builder.CreateUnaryIntrinsic(intrinsic::ctpop, value), word);
  if (name == "brev") return builder.CreateUnaryIntrinsic(intrinsic::bitreverse, value);
  if (name == "bfind" && type.is_signed) {
    // The highest bit that is not the sign's.
    value = builder.CreateXor(value, builder.CreateAShr(value, type.bits() - 1));
  }
  llvm::Value* const zeros =
      builder.CreateZExtOrTrunc(builder.CreateBinaryIntrinsic(intrinsic::ctlz, value, builder.getFalse()), word);
  return name == "clz" ? zeros : builder.CreateSub(builder.getInt32(type.bits() - 1), zeros);
}

/// vabsdiff2 and vabsdiff4: the distances of halves or bytes, each in its place, or their sum and another summand.
llvm::Value* distances(llvm::IRBuilder<>& builder, const ptx_instruction& one, const operand_values& of) {
  const bool is_signed = one.has("s32"), is_sum = one.name.size() == 5;
  if (one.name.size() < 4 || one.name[1] != "u32" || one.name[2] != one.name[3]) return nullptr;
  if ((one.name[2] != "u32" && !is_signed) || one.name.size() > 5 || (is_sum && one.name[4] != "add")) return nullptr;
  const unsigned bits = one.name[0] == "vabsdiff4" ? 8 : 16;
  llvm::Value* result = is_sum ? of[2] : builder.getInt32(0);
  for (unsigned shift = 0; shift < 32; shift += bits) {
    llvm::Value* parts[2];
    for (unsigned i = 0; i < 2; ++i) {
      llvm::Value* const part = builder.CreateTrunc(builder.CreateLShr(of[i], shift), builder.getIntNTy(bits));
      parts[i] = builder.CreateIntCast(part, builder.getInt32Ty(), is_signed);
    }
    llvm::Value* const distance =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, builder.CreateSub(parts[0], parts[1]), builder.getFalse());
    result =
        is_sum ? builder.CreateAdd(result, distance) : builder.CreateOr(result, builder.CreateShl(distance, shift));
  }
  return result;
}

/// The video instructions that libraries use, on words of 32 bits: vadd, vshl and vshr, and a sum after it.
llvm::Value* video(llvm::IRBuilder<>& builder, const ptx_instruction& one, const operand_values& of) {
  std::string rest;
  for (std::size_t i = 1; i < one.name.size(); ++i) rest += "." + one.name[i];
  if (one.name[0] == "vadd" && rest == ".u32.u32.u32.add") {
    return builder.CreateAdd(builder.CreateAdd(of[0], of[1]), of[2]);
  }
  if (one.name[0] == "vadd" || rest != ".u32.u32.u32.clamp.add") return nullptr;
  return builder.CreateAdd(moved(builder, of[0], of[1], one.name[0] == "vshl"), of[2]);
}

}  // namespace

bool build_ptx_bits(ptx_registers& registers, const ptx_instruction& one) {
  const std::string& name = one.name[0];
  const bool is_distance = name == "vabsdiff2" || name == "vabsdiff4";
  const bool is_video = name == "vadd" || name == "vshl" || name == "vshr" || is_distance;
  const std::optional<ptx_type> type = is_video ? registers.type_of("u32") : registers.type_of(one);
  if (!type || type->is_float || type->bits() < 32) return false;
  struct form {
    llvm::StringLiteral name;
    std::size_t sources;
    std::size_t words;  ///< of 32 bits, after those of the instruction's type
  };
  constexpr form forms[] = {{"bfe", 1, 2},  {"bfi", 2, 2},   {"prmt", 3, 0},      {"lop3", 4, 0},     {"shf", 3, 0},
                            {"vadd", 3, 0}, {"vshl", 3, 0},  {"vshr", 3, 0},      {"popc", 1, 0},     {"clz", 1, 0},
                            {"brev", 1, 0}, {"bfind", 1, 0}, {"vabsdiff2", 3, 0}, {"vabsdiff4", 3, 0}};
  const auto* const found = llvm::find_if(forms, [&](const form& each) { return each.name == name; });
  if (found == std::end(forms) || one.operands.size() != 1 + found->sources + found->words) return false;
  operand_values of;
  for (std::size_t i = 0; i < found->sources + found->words; ++i) {
    const unsigned bits = i < found->sources ? type->bits() : 32;
    of.push_back(registers.read_bits(one.operands[i + 1], bits));
    if (of.back() == nullptr) return false;
  }
  llvm::IRBuilder<>& builder = registers.builder;
  llvm::Value* result = nullptr;
  const bool has_modifiers = one.name.size() > 2;
  if (is_distance) {
    result = distances(builder, one, of);
  } else if (is_video) {
    result = video(builder, one, of);
  } else if (name == "shf" && type->bits() == 32) {
    result = funnel(builder, one, of);
  } else if (has_modifiers) {
    return false;
  } else if (name == "bfe") {
    result = extracted(builder, *type, of);
  } else if (name == "bfi") {
    result = inserted(builder, *type, of);
  } else if (name == "prmt" && type->bits() == 32) {
    result = permuted(builder, of);
  } else if (name == "lop3" && type->bits() == 32) {
    result = looked_up(builder, of);
  } else if (found->sources == 1) {
    result = counted(builder, name, *type, of[0]);
  }
  return result != nullptr && registers.write(one.operands[0], result);
}

}  // namespace warpz::instrument

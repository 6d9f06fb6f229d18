// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registers of PTX statements while they become LLVM IR: those that they declare, and the operands of their asm.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "instrument/ptx_text.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace warpz::instrument {

/// A type of PTX: s32, u64, b16, f32, pred.
struct ptx_type {
  llvm::Type* type;
  bool is_signed;
  bool is_float;

  unsigned bits() const { return static_cast<unsigned>(type->getPrimitiveSizeInBits()); }
};

class ptx_registers {
 public:
  /// New code goes before the call.
  explicit ptx_registers(llvm::CallInst& call);

  llvm::IRBuilder<> builder;

  /// False for a type that there is not.
  bool declare(const std::string& name, llvm::StringRef type);
  std::optional<ptx_type> type_of(llvm::StringRef name);
  /// The type that the last part of an instruction's name says.
  std::optional<ptx_type> type_of(const ptx_instruction& one);

  /// The operand's value in that type. A number, a register or a special register; null for anything else.
  llvm::Value* read(llvm::StringRef operand, const ptx_type& type);
  /// False where the operand is no register.
  bool write(llvm::StringRef operand, llvm::Value* value, bool is_signed = false);
  /// In the type of bits of this width.
  llvm::Value* read_bits(llvm::StringRef operand, unsigned bits);
  /// Null for a register of another width than a pointer's.
  llvm::Value* read_address(llvm::StringRef name);
  /// A register that holds if it is not 0.
  llvm::Value* read_predicate(llvm::StringRef operand);

  /// Calls a function of the machine's by the statement's words and place (cuda/detail/ptx_statements.h). Null where
  /// the headers lack it, as HIP's do.
  llvm::Value* call_machine(llvm::StringRef function, llvm::StringRef operation,
                            llvm::ArrayRef<llvm::Value*> arguments = {});

  /// Runs `build` where the condition holds, and joins the registers of both ways.
  template <class Build>
  bool build_where(llvm::Value* condition, Build build) {
    const std::map<std::string, llvm::Value*> before = values_;
    llvm::BasicBlock* const from = builder.GetInsertBlock();
    begin_branch(condition);
    const bool is_known = build();
    end_branch(from, before);
    return is_known;
  }

  /// Puts the outputs in place of the asm's result, which has no uses then.
  void replace_result();

  llvm::Value* carry = nullptr;  ///< of the last instruction with .cc

 private:
  llvm::Value* special(llvm::StringRef name);
  llvm::Value* converted(llvm::Value* value, llvm::Type* type, bool is_signed);
  void begin_branch(llvm::Value* condition);
  void end_branch(llvm::BasicBlock* from, const std::map<std::string, llvm::Value*>& before);

  llvm::CallInst& call_;
  std::map<std::string, llvm::Value*> values_;
  std::map<std::string, llvm::Type*> types_;  ///< of registers that may be written
  std::vector<std::string> outputs_;
};

}  // namespace warpz::instrument

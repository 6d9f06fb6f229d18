// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/ptx_instructions.hpp"

namespace warpz::instrument {
namespace {

/// The name without the type at its end: "shfl.sync.up.b32" is an operation of findings.
std::string operation_of(const ptx_instruction& one) {
  std::string text;
  for (const std::string& each : one.name) text += (text.empty() ? "" : ".") + each;
  return text;
}

/// What it does: sync may stand before it or after it.
std::string mode_of(const ptx_instruction& one) {
  for (std::size_t i = 1; i + 1 < one.name.size(); ++i) {
    if (one.name[i] != "sync") return one.name[i];
  }
  return {};
}

/// shfl.sync.up.b32 d|p, a, b, c, mask. Its old form has no mask: all lanes take part.
bool build_shuffle(ptx_registers& registers, const ptx_instruction& one) {
  const bool is_sync = one.has("sync");
  if (one.name.back() != "b32" || one.name.size() != (is_sync ? 4 : 3) || one.operands.size() != (is_sync ? 5 : 4)) {
    return false;
  }
  const std::string mode = mode_of(one);
  std::vector<llvm::Value*> arguments;
  for (unsigned i = 1; i < one.operands.size(); ++i) arguments.push_back(registers.read_bits(one.operands[i], 32));
  llvm::Value* const result = registers.call_machine((is_sync ? "__warpz_ptx_shfl_sync_" : "__warpz_ptx_shfl_") + mode,
                                                     operation_of(one), arguments);
  if (result == nullptr) return false;
  const auto [value, predicate] = llvm::StringRef(one.operands[0]).split('|');
  // The upper word says whether the source is in range.
  llvm::IRBuilder<>& builder = registers.builder;
  if (!registers.write(value, builder.CreateTrunc(result, builder.getInt32Ty()))) return false;
  return predicate.empty() || registers.write(predicate, builder.CreateIsNotNull(builder.CreateLShr(result, 32)));
}

/// vote.sync.ballot.b32 d, p, mask; vote.sync.any.pred q, p, mask.
bool build_vote(ptx_registers& registers, const ptx_instruction& one) {
  const bool is_sync = one.has("sync");
  if (one.name.size() != (is_sync ? 4 : 3) || one.operands.size() != (is_sync ? 3 : 2)) return false;
  std::vector<llvm::Value*> arguments = {registers.read_predicate(one.operands[1])};
  if (is_sync) arguments.push_back(registers.read_bits(one.operands[2], 32));
  llvm::Value* const result = registers.call_machine(
      (is_sync ? "__warpz_ptx_vote_sync_" : "__warpz_ptx_vote_") + mode_of(one), operation_of(one), arguments);
  if (result == nullptr) return false;
  const bool is_predicate = one.name.back() == "pred";
  return registers.write(one.operands[0], is_predicate ? registers.builder.CreateIsNotNull(result) : result);
}

/// match.any.sync.b32 d, a, mask.
bool build_match(ptx_registers& registers, const ptx_instruction& one) {
  const std::optional<ptx_type> type = registers.type_of(one);
  if (!type || one.operands.size() != 3 || !one.has("any") || !one.has("sync")) return false;
  llvm::Value* const result = registers.call_machine(
      "__warpz_ptx_match_any_sync_b" + std::to_string(type->bits()), operation_of(one),
      {registers.read_bits(one.operands[1], type->bits()), registers.read_bits(one.operands[2], 32)});
  return result != nullptr && registers.write(one.operands[0], result);
}

bool is_number(const ptx_instruction& one, std::size_t operand) {
  return operand < one.operands.size() &&
         llvm::StringRef(one.operands[operand]).find_first_not_of("0123456789") == llvm::StringRef::npos;
}

/// bar.sync 0; bar.sync a with all threads of the block, or with as many as it says; bar.warp.sync mask.
bool build_barrier(ptx_registers& registers, const ptx_instruction& one) {
  if (one.has("warp")) {
    return one.operands.size() == 1 && registers.call_machine("__warpz_ptx_bar_warp_sync", operation_of(one),
                                                              {registers.read_bits(one.operands[0], 32)}) != nullptr;
  }
  if (!one.has("sync") || one.operands.empty() || one.operands.size() > 2) return false;
  // All arrive at one barrier of a block, by whichever number, unless a part of them has one of its own.
  llvm::Value* const threads = one.operands.size() == 2 ? registers.read_bits(one.operands[1], 32)
                                                        : static_cast<llvm::Value*>(registers.builder.getInt32(0));
  if (one.operands.size() == 1 && !is_number(one, 0)) return false;
  return registers.call_machine("__warpz_ptx_bar_sync", operation_of(one), {threads}) != nullptr;
}

bool is_fence(const ptx_instruction& one) {
  if (one.name[0] == "membar") return one.has("cta") || one.has("gl") || one.has("sys");
  return one.name[0] == "fence" && one.name.size() == 3 && (one.has("acq_rel") || one.has("sc")) &&
         (one.has("cta") || one.has("cluster") || one.has("gpu") || one.has("sys"));
}

}  // namespace

bool build_ptx_machine(ptx_registers& registers, const ptx_instruction& one) {
  const std::string& name = one.name[0];
  if (name == "shfl") return build_shuffle(registers, one);
  if (name == "vote") return build_vote(registers, one);
  if (name == "match") return build_match(registers, one);
  if (name == "bar" || name == "barrier") return build_barrier(registers, one);
  if (name == "activemask") {
    llvm::Value* const lanes = registers.call_machine("__warpz_ptx_activemask", operation_of(one));
    return one.operands.size() == 1 && lanes != nullptr && registers.write(one.operands[0], lanes);
  }
  if (!one.operands.empty()) return false;
  if (is_fence(one)) return registers.call_machine("__warpz_ptx_membar", operation_of(one)) != nullptr;
  return (name == "trap" || name == "exit") && one.name.size() == 1 &&
         registers.call_machine("__warpz_ptx_" + name, operation_of(one)) != nullptr;
}

}  // namespace warpz::instrument

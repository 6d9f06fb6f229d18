// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and atomics of PTX. The checks see them as those of C++.
#include "instrument/ptx_instructions.hpp"

namespace warpz::instrument {
namespace {

using llvm::AtomicOrdering;

/// What its words say of an access.
struct access_words {
  unsigned elements = 1;
  AtomicOrdering order = AtomicOrdering::NotAtomic;
  bool is_volatile = false;
  bool is_known = true;
};

/// How it is cached, or in which memory: nothing changes here.
bool is_without_effect(llvm::StringRef word) {
  return llvm::is_contained({"global", "shared", "local", "const", "param", "generic", "cta", "cluster", "gpu", "sys",
                             "weak", "ca", "cs", "lu", "wb", "wt", "nc", "noftz"},
                            word) ||
         word.starts_with("L1::") || word.starts_with("L2::") || word.starts_with("shared::");
}

access_words words_of(const ptx_instruction& one) {
  access_words result;
  for (std::size_t i = 1; i + 1 < one.name.size(); ++i) {
    const llvm::StringRef word = one.name[i];
    if (word == "v2" || word == "v4") {
      result.elements = word == "v2" ? 2 : 4;
    } else if (word == "volatile") {
      result.is_volatile = true;
    } else if (word == "cg" || word == "cv" || word == "relaxed" || word == "mmio") {
      // Caches that all blocks share: a relaxed access is what these are on GPUs, and libraries count on it.
      result.order = AtomicOrdering::Monotonic;
    } else if (word == "acquire") {
      result.order = AtomicOrdering::Acquire;
    } else if (word == "release") {
      result.order = AtomicOrdering::Release;
    } else if (!is_without_effect(word)) {
      result.is_known = false;
    }
  }
  return result;
}

std::vector<std::string> elements_of(llvm::StringRef operand) {
  if (!operand.starts_with("{")) return {operand.str()};
  return ptx_parts(operand.drop_front().drop_back());
}

/// [register], [register+8]; null for another form, and for an address of 32 bits, which says nothing here.
llvm::Value* address_of(ptx_registers& registers, llvm::StringRef operand) {
  if (!operand.consume_front("[") || !operand.consume_back("]")) return nullptr;
  const auto [base, offset] = operand.split('+');
  llvm::Value* const number = registers.read_address(base);
  long long distance = 0;
  if (number == nullptr || (!offset.empty() && offset.getAsInteger(0, distance))) return nullptr;
  llvm::IRBuilder<>& builder = registers.builder;
  llvm::Value* const pointer = builder.CreateIntToPtr(number, builder.getPtrTy());
  return distance == 0
             ? pointer
             : builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, static_cast<unsigned long long>(distance));
}

bool build_load_or_store(ptx_registers& registers, const ptx_instruction& one, bool is_load) {
  const access_words words = words_of(one);
  const std::optional<ptx_type> type = registers.type_of(one);
  if (!words.is_known || !type || one.operands.size() != 2) return false;
  llvm::Value* const begin = address_of(registers, one.operands[is_load ? 1 : 0]);
  const std::vector<std::string> elements = elements_of(one.operands[is_load ? 0 : 1]);
  if (begin == nullptr || elements.size() != words.elements) return false;
  llvm::IRBuilder<>& builder = registers.builder;
  const llvm::Align alignment(type->bits() / 8);
  std::vector<llvm::Value*> results;
  for (unsigned i = 0; i < elements.size(); ++i) {
    llvm::Value* const at = i == 0 ? begin : builder.CreateConstGEP1_32(type->type, begin, i);
    if (is_load) {
      llvm::LoadInst* const load = builder.CreateAlignedLoad(type->type, at, alignment, words.is_volatile);
      load->setAtomic(words.order);
      results.push_back(load);
      continue;
    }
    llvm::Value* const value = registers.read(elements[i], *type);
    if (value == nullptr) return false;
    builder.CreateAlignedStore(value, at, alignment, words.is_volatile)->setAtomic(words.order);
  }
  for (unsigned i = 0; i < results.size(); ++i) {
    if (!registers.write(elements[i], results[i], type->is_signed)) return false;
  }
  return true;
}

std::optional<llvm::AtomicRMWInst::BinOp> operation_of(llvm::StringRef word, const ptx_type& type) {
  using atomic = llvm::AtomicRMWInst;
  if (type.is_float) return word == "add" ? std::optional(atomic::FAdd) : std::nullopt;
  if (word == "add") return atomic::Add;
  if (word == "and") return atomic::And;
  if (word == "or") return atomic::Or;
  if (word == "xor") return atomic::Xor;
  if (word == "exch") return atomic::Xchg;
  if (word == "min") return type.is_signed ? atomic::Min : atomic::UMin;
  if (word == "max") return type.is_signed ? atomic::Max : atomic::UMax;
  return std::nullopt;
}

/// atom.global.add.u32 d, [a], b; red.global.add.u32 [a], b; atom.cas.b32 d, [a], b, c.
bool build_atomic(ptx_registers& registers, const ptx_instruction& one) {
  const bool has_result = one.name[0] == "atom";
  const std::optional<ptx_type> type = registers.type_of(one);
  if (!type || type->bits() < 32 || one.operands.size() < (has_result ? 3 : 2)) return false;
  AtomicOrdering order = AtomicOrdering::Monotonic;
  std::string what;
  for (std::size_t i = 1; i + 1 < one.name.size(); ++i) {
    const std::string& word = one.name[i];
    if (word == "acquire") order = AtomicOrdering::Acquire;
    if (word == "release") order = AtomicOrdering::Release;
    if (word == "acq_rel") order = AtomicOrdering::AcquireRelease;
    if (llvm::is_contained({"acquire", "release", "acq_rel", "relaxed"}, word) || is_without_effect(word)) continue;
    if (!what.empty()) return false;
    what = word;
  }
  const std::size_t first = has_result ? 1 : 0;
  llvm::Value* const at = address_of(registers, one.operands[first]);
  llvm::Value* const value = registers.read(one.operands[first + 1], *type);
  if (at == nullptr || value == nullptr) return false;
  llvm::IRBuilder<>& builder = registers.builder;
  const llvm::MaybeAlign alignment(type->bits() / 8);
  if (what == "cas") {
    if (!has_result || one.operands.size() != 4) return false;
    llvm::Value* const desired = registers.read(one.operands[3], *type);
    if (desired == nullptr) return false;
    const AtomicOrdering failure = llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order);
    llvm::Value* const pair = builder.CreateAtomicCmpXchg(at, value, desired, alignment, order, failure);
    return registers.write(one.operands[0], builder.CreateExtractValue(pair, 0));
  }
  const auto operation = operation_of(what, *type);
  if (!operation || one.operands.size() != first + 2) return false;
  llvm::Value* const old = builder.CreateAtomicRMW(*operation, at, value, alignment, order);
  return !has_result || registers.write(one.operands[0], old);
}

}  // namespace

bool build_ptx_memory(ptx_registers& registers, const ptx_instruction& one) {
  if (one.name.size() < 2) return false;
  const std::string& name = one.name[0];
  if (name == "ld" || name == "st") return build_load_or_store(registers, one, name == "ld");
  if (name == "atom" || name == "red") return build_atomic(registers, one);
  // Only hints.
  return name == "prefetch" || name == "prefetchu";
}

}  // namespace warpz::instrument

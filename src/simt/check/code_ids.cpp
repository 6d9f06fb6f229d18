// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/code_ids.hpp"

#include <atomic>
#include <cstdint>

namespace simt::check {
namespace {

/// Places of code. The workers of a trial add to it at the same time.
class code_set {
 public:
  void add(code_id code) {
    if (!has(code)) word_of(code).fetch_or(bit_of(code), std::memory_order_relaxed);
  }
  bool has(code_id code) { return (word_of(code).load(std::memory_order_relaxed) & bit_of(code)) != 0; }

 private:
  static constexpr unsigned bits = 64;

  std::atomic<std::uint64_t>& word_of(code_id code) { return words_[code / bits]; }
  static std::uint64_t bit_of(code_id code) { return std::uint64_t{1} << code % bits; }

  std::atomic<std::uint64_t> words_[(code_id_mask + 1) / bits] = {};
};

// As the kernel gives it, zeros take no time: a process for one launch uses little of it.
code_set atomic_code, constant_code, block_constant_code;

}  // namespace

void note_atomic_code(code_id code) { atomic_code.add(code); }

bool is_atomic_code(code_id code) { return atomic_code.has(code); }

void note_constant_code(code_id code) { constant_code.add(code); }

bool is_constant_code(code_id code) { return code != 0 && constant_code.has(code); }

void note_block_constant_code(code_id code) { block_constant_code.add(code); }

bool is_block_constant_code(code_id code) { return code != 0 && block_constant_code.has(code); }

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/code_ids.hpp"

#include <atomic>
#include <cstdint>

namespace simt::check {
namespace {

constexpr unsigned bits = 64;

/// A bit for each place. The workers of a trial set them at the same time.
std::atomic<std::uint64_t>& atomic_code(code_id code) {
  static auto* const all = new std::atomic<std::uint64_t>[(code_id_mask + 1) / bits]();
  return all[code / bits];
}

constexpr std::uint64_t bit_of(code_id code) { return std::uint64_t{1} << code % bits; }

}  // namespace

void note_atomic_code(code_id code) {
  if (!is_atomic_code(code)) atomic_code(code).fetch_or(bit_of(code), std::memory_order_relaxed);
}

bool is_atomic_code(code_id code) { return (atomic_code(code).load(std::memory_order_relaxed) & bit_of(code)) != 0; }

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/code_ids.hpp"

#include <bitset>

namespace simt::check {
namespace {

std::bitset<std::size_t{code_id_mask} + 1>& atomic_code() {
  static auto* const only = new std::bitset<std::size_t{code_id_mask} + 1>;
  return *only;
}

}  // namespace

void note_atomic_code(code_id code) { atomic_code().set(code); }

bool is_atomic_code(code_id code) { return atomic_code().test(code); }

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/check/code_ids.hpp"

#include <bitset>

namespace simt::check {
namespace {

using code_set = std::bitset<std::size_t{code_id_mask} + 1>;

code_set& atomic_code() {
  static auto* const only = new code_set;
  return *only;
}

code_set& constant_code() {
  static auto* const only = new code_set;
  return *only;
}

}  // namespace

void note_atomic_code(code_id code) { atomic_code().set(code); }

bool is_atomic_code(code_id code) { return atomic_code().test(code); }

void note_constant_code(code_id code) { constant_code().set(code); }

bool is_constant_code(code_id code) { return code != 0 && constant_code().test(code); }

}  // namespace simt::check

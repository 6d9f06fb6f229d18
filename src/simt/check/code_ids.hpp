// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in the kernels' code, as numbers small enough for the shadow memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::check {

/// A place in the code of the running kernel's module; 0: a place too far from its beginning.
using code_id = std::uint32_t;

inline constexpr unsigned code_id_bits = 21;
inline constexpr code_id code_id_mask = (1U << code_id_bits) - 1;

/// Where the code of the running kernel's module begins.
inline std::uintptr_t code_base = 0;

/// Remembers that an atomic operation is there.
void note_atomic_code(code_id code);
bool is_atomic_code(code_id code);

/// Remembers that a plain write there stores what is the same on any data, such as a constant.
void note_constant_code(code_id code);
bool is_constant_code(code_id code);

/// As above, of what is the same for all lanes of a block.
void note_block_constant_code(code_id code);
bool is_block_constant_code(code_id code);

/// Only the upper bits of an address are kept; a call is longer than what is lost.
inline constexpr unsigned lost_code_bits = 2;

/// The place of a call, given its return address.
inline code_id code_id_at(const void* return_address, bool atomic) {
  const std::uintptr_t offset = (reinterpret_cast<std::uintptr_t>(return_address) - code_base) >> lost_code_bits;
  if (offset > code_id_mask) return 0;
  const auto code = static_cast<code_id>(offset);
  if (atomic) note_atomic_code(code);
  return code;
}

/// An address within the call.
inline std::uintptr_t address_of(code_id code) { return code_base + (std::uintptr_t{code} << lost_code_bits) - 1; }

}  // namespace simt::check

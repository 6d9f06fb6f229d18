// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of accesses to memory.
#pragma once

namespace simt::check {

/// What an access does with the memory.
enum class doing : unsigned char { read, write, read_and_write, atomic_read, atomic_write, atomic_change };

constexpr bool reads(doing what) {
  return what == doing::read || what == doing::read_and_write || what == doing::atomic_change;
}
constexpr bool writes(doing what) { return what != doing::read && what != doing::atomic_read; }
constexpr bool is_atomic(doing what) { return what >= doing::atomic_read; }

}  // namespace simt::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of accesses to memory.
#pragma once

namespace simt::check {

enum class access_kind : unsigned char { read, write, read_and_write, atomic_read, atomic_write, atomic_change };

constexpr bool reads(access_kind kind) { return kind != access_kind::write && kind != access_kind::atomic_write; }
constexpr bool writes(access_kind kind) { return kind != access_kind::read && kind != access_kind::atomic_read; }
constexpr bool is_atomic(access_kind kind) { return kind >= access_kind::atomic_read; }

}  // namespace simt::check

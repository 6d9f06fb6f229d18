// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that are no multiple of what their type asks for, for --check all.
//
// Only code that is not optimized yet has the types: later a vector of 16 bytes is four numbers of 4, or a copy of
// bytes. There each copy, and each access that asks for more than its own width, gets an assumption, which Clang drops
// together with what it optimizes away. Those that are left become calls of the machine.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Clang's intermediate code as text, not optimized yet, with assumptions about the addresses that are accessed.
std::string with_assumed_alignment(std::string_view code);

bool assumes_alignment(std::string_view code);

/// The same code, optimized, with calls in place of the assumptions.
std::string with_checked_alignment(std::string_view code);

}  // namespace warpz

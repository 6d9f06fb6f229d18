// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are declared const, for --check all. Clang reports no access to memory that nobody can write, and
// replaces reads by the elements' values. If somebody might write to it, such an array is like all others, and accesses
// outside of it are found.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Clang's intermediate code as text, in which declared constant arrays and objects are variables.
std::string with_accessed_constant_arrays(std::string_view code);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are declared const, for --check all. Clang tells of no access to what nobody can write, and puts the
// values of elements in place of reads. As arrays that somebody might write they are like all others: who misses one is
// found.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Clang's intermediate code as text, in which the constant arrays and objects that somebody has declared are no
/// constants.
std::string with_accessed_constant_arrays(std::string_view code);

}  // namespace warpz

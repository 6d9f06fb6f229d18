// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that Clang's instrumentation leaves out, for --check all.
//
// -fsanitize=thread puts no call before an access of 3, 5, 6, 7 or 10 bytes, of a vector of more than 16, in another
// address space, or where a call copies a struct for its callee. Such a width appears only in optimized code, where
// Clang joins what the source has one by one: a `uchar3` becomes an integer of 24 bits.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Whether code that is not optimized yet has something that may become such an access.
bool may_have_unseen_accesses(std::string_view code);

/// Clang's intermediate code as text, optimized and instrumented, with calls before these accesses as well.
std::string with_all_accesses(std::string_view code);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets warpz know of memory that code allocates by malloc and new.
//
//     %p = call ptr @malloc(i64 16)    becomes    %p = call ptr @simt_malloc(i64 16)
//
// LLVM knows that what malloc gives has no values, and would invent any for a read of it.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// LLVM's intermediate code in which the machine's functions allocate. Functions that the code defines itself stay.
std::string with_own_allocations(std::string_view intermediate);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Volatile accesses, for --check all: PTX defines them as relaxed and of system scope, and AMD's compilers make them
// so.
//
// A volatile that only polls or publishes becomes a relaxed atomic: a load in a loop that it decides, at an address
// that the loop does not change; and a store whose value does not come from a load of the same object. Others stay as
// they are, so that they race with accesses of other lanes: `(*count)++`, trees, data taken from a volatile array.
// Types of other sizes than 1, 2, 4 and 8 bytes, and such as are not aligned to their size, stay as they are, too. Each
// load is a scheduling point. A lane's own variables are left alone.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Clang's intermediate code as text, not optimized yet.
std::string with_volatile_accesses(std::string_view code);

}  // namespace warpz

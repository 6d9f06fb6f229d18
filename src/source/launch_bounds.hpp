// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large the blocks of a kernel may be, by what its __launch_bounds__ says.
//
// Text in, number out: the compilers keep it to themselves.
#pragma once

#include <string_view>

namespace warpz {

/// The most threads of a block with which the kernel of this name says that it can be launched: the first argument of
/// __launch_bounds__, where that is a number, or a name that the same file defines as one (by #define, or with an `=`).
/// Of several kernels of the name the least. 0: nothing is said, or something else.
unsigned launch_bound_of(std::string_view source, std::string_view kernel);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest block that a kernel's __launch_bounds__ allows.
//
// Text in, number out: compilers read the attribute, but do not tell anyone.
#pragma once

#include <string_view>

namespace warpz {

/// The first argument of __launch_bounds__ on the kernel of this name, in threads per block: a number, or a name to
/// which the same file gives one value (by #define, or with an `=`). The smallest where several kernels have the name.
/// 0 where there is no such bound, or it is any other expression.
unsigned launch_bound_of(std::string_view source, std::string_view kernel);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with __launch_bounds__, for --check all: each begins with a call that tells the machine its bound.
//
// The bound may be any expression, also one of template parameters: Clang computes it, and writes it into the
// intermediate code as an annotation of the kernel.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Clang's intermediate code as text, not optimized yet, with these calls.
std::string with_launch_bound_checks(std::string_view code);

}  // namespace warpz

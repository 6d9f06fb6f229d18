// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose launches have to keep to something, for --check all: each begins with a call that tells the machine its
// __launch_bounds__ and how much static shared memory it has.
//
// The bound may be any expression, also one of template parameters: Clang computes it, and writes it into the
// intermediate code as an annotation of the kernel. The shared memory is that of the kernel and of the functions that
// it reaches in the same source.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// Clang's intermediate code as text, not optimized yet, with these calls.
std::string with_launch_limit_checks(std::string_view code);

}  // namespace warpz

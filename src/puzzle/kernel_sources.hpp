// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source of the built-in kernels, as a warpz that is installed has no source files. CMake writes the .cpp file.
#pragma once

#include <string_view>

namespace warpz {

/// The text of a file such as "puzzles/neighbor/solution.hip"; empty where no built-in kernel comes from it.
std::string_view kernel_source(std::string_view file);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of the project's own that a warpz needs that is installed without them: the source of the built-in kernels, and
// each puzzle's task and problem. CMakeLists.txt writes the other half.
#pragma once

#include <string_view>

namespace warpz {

/// The text of a file such as "puzzles/neighbor/solution.hip"; empty where warpz does not have it.
std::string_view project_file(std::string_view path);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of the project's own that a warpz needs that is installed without them: the source of the built-in kernels, and
// each puzzle's task and problem. CMakeLists.txt writes the other half.
#pragma once

#include <string_view>

#include "puzzle/puzzle.hpp"

namespace warpz {

/// The text of a file such as "puzzles/neighbor/solution.hip"; empty where warpz does not have it.
std::string_view project_file(std::string_view path);

/// A puzzle's "README.md", "problem.hip" or "solution.hip".
std::string_view text_of(const puzzle& task, std::string_view file);

}  // namespace warpz

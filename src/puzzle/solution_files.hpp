// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a puzzle's file may be named in a folder of solutions for --kernel.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "puzzle/puzzle.hpp"

namespace warpz {

/// NAME.hip, and NAME/solution.hip as in this project's own folder puzzles/; the first one that exists is the puzzle's.
inline std::array<std::string, 2> solution_files(const std::string& folder, const puzzle& task) {
  const std::string path = fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", task.flag);
  return {path + ".hip", path + "/solution.hip"};
}

}  // namespace warpz

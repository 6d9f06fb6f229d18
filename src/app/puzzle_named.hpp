// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include <vector>

#include "puzzle/puzzle.hpp"

namespace warpz {

/// The names of all puzzles, which are their options without the dashes.
std::vector<std::string_view> puzzle_flags();

/// The puzzle with this flag. Throws error(bad_input), with those that may be meant, where there is none.
const puzzle& puzzle_named(std::string_view flag);

/// Those of "neighbor,vote".
std::vector<const puzzle*> puzzles_named(std::string_view list);

}  // namespace warpz

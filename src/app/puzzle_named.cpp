// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/puzzle_named.hpp"

#include <fmt/format.h>

#include <vector>

#include "error.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {

std::vector<std::string_view> puzzle_flags() {
  std::vector<std::string_view> flags;
  for (const puzzle* each : puzzles()) flags.push_back(each->flag);
  return flags;
}

const puzzle& puzzle_named(std::string_view flag) {
  if (const puzzle* const found = find_puzzle(flag)) return *found;
  const auto near = nearest(flag, puzzle_flags());
  throw error(exit_code::bad_input, fmt::format("no puzzle is called '{}'", printable(flag, max_shown)),
              near.empty() ? "warpz --list shows all." : fmt::format("Did you mean {}?", alternatives(near)));
}

std::vector<const puzzle*> puzzles_named(std::string_view list) {
  std::vector<const puzzle*> named;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    named.push_back(&puzzle_named(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return named;
}

}  // namespace warpz

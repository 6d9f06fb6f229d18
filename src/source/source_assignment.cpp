// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/source_assignment.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace warpz {

std::optional<source_assignment> assignment_in(const source_outline& outline, const source_statement& statement) {
  const std::vector<token>& all = outline.tokens();
  std::size_t first = statement.first;
  if (all[first].is("if")) {
    int depth = 0;
    do {
      ++first;
      if (all[first].is("(")) ++depth;
      if (all[first].is(")")) --depth;
    } while (depth != 0 && first < statement.last);
    ++first;
  }
  std::optional<source_assignment> found;
  int depth = 0;
  for (std::size_t i = first; i < statement.last; ++i) {
    if (all[i].is("(") || all[i].is("[") || all[i].is("{")) ++depth;
    if (all[i].is(")") || all[i].is("]") || all[i].is("}")) --depth;
    constexpr std::array<std::string_view, 5> signs{"=", "+=", "-=", "*=", "/="};
    if (depth != 0 || std::find(signs.begin(), signs.end(), all[i].text) == signs.end()) continue;
    if (found || i == first) return {};
    found = source_assignment{first, i, statement.last - 1};
  }
  // Two words side by side: it declares a variable.
  if (found && found->first + 1 < found->sign && all[found->first].kind == token_kind::word &&
      all[found->first + 1].kind == token_kind::word) {
    return {};
  }
  return found;
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/hints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "learn/markdown.hpp"

namespace warpz {

std::optional<std::size_t> next_hint(const lesson& one, const puzzle_progress& done) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < one.hints.size(); ++i) {
    if (done.hints.contains(i)) continue;
    const std::vector<std::string>& cases = one.hints[i].cases;
    if (std::find(cases.begin(), cases.end(), done.last) != cases.end()) return i;
    if (!first) first = i;
  }
  return first;
}

std::string hint_text(const lesson& one, std::size_t number, std::size_t given, std::size_t width) {
  const hint& shown = one.hints[number];
  return fmt::format("Hint {} of {}: {}\n\n{}", given, one.hints.size(), shown.title, terminal_text(shown.text, width));
}

}  // namespace warpz

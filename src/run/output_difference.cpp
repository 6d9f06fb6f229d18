// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/output_difference.hpp"

#include <algorithm>

namespace warpz {
namespace {

/// Takes the next line off the text; nothing at its end.
std::optional<std::string_view> next_line(std::string_view& rest) {
  if (rest.empty()) return {};
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  return line;
}

std::optional<std::string> kept(std::optional<std::string_view> line) {
  return line ? std::optional<std::string>(*line) : std::nullopt;
}

}  // namespace

std::optional<different_line> difference(std::string_view first, std::string_view second, std::string_view again) {
  for (std::size_t number = 1;; ++number) {
    const auto a = next_line(first), b = next_line(second), c = next_line(again);
    if (!a && !b) return {};
    if (a != b && a == c) return different_line{number, kept(a), kept(b)};
  }
}

}  // namespace warpz

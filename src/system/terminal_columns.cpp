// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system/terminal_columns.hpp"

#include <sys/ioctl.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace warpz {

std::size_t terminal_columns(int descriptor) {
  constexpr std::size_t least = 40, usual = 80, most = 100;
  if (const auto width = width_of_terminal(descriptor)) return std::clamp(*width, least, most);
  const char* const value = std::getenv("COLUMNS");
  const std::string_view text = value == nullptr ? "" : value;
  std::size_t columns = 0;
  const auto [end, failed] = std::from_chars(text.begin(), text.end(), columns);
  return failed == std::errc() && end == text.end() ? std::max(columns, least) : usual;
}

std::optional<std::size_t> width_of_terminal(int descriptor) {
  winsize terminal{};
  if (ioctl(descriptor, TIOCGWINSZ, &terminal) != 0 || terminal.ws_col == 0) return {};
  return terminal.ws_col;
}

}  // namespace warpz

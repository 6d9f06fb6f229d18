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
  winsize terminal{};
  if (ioctl(descriptor, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col != 0)
    return std::clamp<std::size_t>(terminal.ws_col, least, most);
  const char* const value = std::getenv("COLUMNS");
  const std::string_view text = value == nullptr ? "" : value;
  std::size_t columns = 0;
  const auto [end, failed] = std::from_chars(text.begin(), text.end(), columns);
  return failed == std::errc() && end == text.end() ? std::max(columns, least) : usual;
}

}  // namespace warpz

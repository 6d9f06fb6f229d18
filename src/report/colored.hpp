// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colored words for a terminal.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace warpz {

inline constexpr std::string_view green = "32";
inline constexpr std::string_view red = "31";
inline constexpr std::string_view yellow = "33";

inline std::string colored(std::string_view text, std::string_view color, bool wanted) {
  return wanted ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : std::string(text);
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/color.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace warpz {
namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool use_color(color_choice choice, int fd) {
  if (choice != color_choice::automatic) return choice == color_choice::always;
  const std::string_view terminal = environment("TERM");
  return environment("NO_COLOR").empty() && !terminal.empty() && terminal != "dumb" && ::isatty(fd) == 1;
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mpirun and others tell a rank by its environment.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <optional>

namespace warpz {

/// The number that the first of these variables has which is set; nothing: none is.
inline std::optional<int> number_in(std::initializer_list<const char*> variables) {
  for (const char* const each : variables) {
    const char* const text = std::getenv(each);
    if (text != nullptr && *text != '\0') return std::atoi(text);
  }
  return {};
}

}  // namespace warpz

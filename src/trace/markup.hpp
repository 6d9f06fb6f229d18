// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text within XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace warpz {

/// The text with the characters escaped that mean something there, in elements as well as in quoted attributes.
inline std::string escaped(std::string_view text) {
  std::string result;
  for (const char each : text) {
    switch (each) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += each;
    }
  }
  return result;
}

}  // namespace warpz

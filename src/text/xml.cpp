// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/xml.hpp"

#include <algorithm>

#include "text/printable.hpp"

namespace warpz {

std::string xml_text(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    for (const char c : printable(line, line.size())) {
      switch (c) {
        case '&':
          escaped += "&amp;";
          break;
        case '<':
          escaped += "&lt;";
          break;
        case '>':
          escaped += "&gt;";
          break;
        case '"':
          escaped += "&quot;";
          break;
        default:
          escaped += c;
          break;
      }
    }
    // In an attribute, a plain line end would be read as a blank.
    if (line.size() != text.size()) escaped += "&#10;";
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return escaped;
}

}  // namespace warpz

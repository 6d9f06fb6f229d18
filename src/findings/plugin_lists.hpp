// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists that Clang's plugin leaves in compiled code, as text (src/abi/device_image.h has their forms).
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpz {

/// The parts of each line, between tabs.
inline std::vector<std::vector<std::string_view>> rows_of_list(std::string_view text) {
  std::vector<std::vector<std::string_view>> rows{{}};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\t\n"), text.size());
    rows.back().push_back(text.substr(0, end));
    const bool ends_row = end < text.size() && text[end] == '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    if (ends_row) rows.emplace_back();
  }
  return rows;
}

/// 0 where it is none.
inline std::int64_t number_in(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace warpz

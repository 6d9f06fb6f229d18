// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines as they are typed, for tests of what becomes of them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "host/error_support.hpp"

namespace options_support {

using namespace warpz;

inline options parsed(const std::vector<std::string>& words) {
  std::vector<const char*> arguments{"warpz"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return parse(static_cast<int>(arguments.size()), arguments.data());
}

// Words without blanks, as they are typed.
inline std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

inline options typed(std::string_view line) { return parsed(split(line)); }

inline std::string refused(std::string_view line) {
  return error_support::complaint([&] { typed(line); });
}

}  // namespace options_support

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/compiler_output.hpp"

#include <algorithm>
#include <utility>

namespace warpz {

std::vector<std::string> files_in_depfile(std::string_view rule) {
  std::vector<std::string> files;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) files.push_back(std::exchange(word, {}));
  };
  const std::size_t colon = rule.find(": ");
  if (colon == std::string_view::npos) return {};
  rule.remove_prefix(colon + 1);
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word += rule[++i];
    } else if (rule[i] == '$' && next == '$') {
      word += rule[++i];
    } else if (rule[i] == '\\' && next == '\n') {
      ++i;
      end_word();
    } else if (rule[i] == ' ' || rule[i] == '\n') {
      end_word();
    } else {
      word += rule[i];
    }
  }
  end_word();
  return files;
}

std::string without_colors(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) != "\x1b[") {
      plain += text[i];
      continue;
    }
    // Ends with the first character that is neither a parameter nor a separator of them.
    i = std::min(text.find_first_not_of("0123456789;:?", i + 2), text.size() - 1);
  }
  return plain;
}

}  // namespace warpz

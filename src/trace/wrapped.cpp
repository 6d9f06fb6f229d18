// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/wrapped.hpp"

#include <algorithm>

namespace warpz {

std::string wrapped(std::span<const std::string> words, std::string_view indent, std::string_view further_indent) {
  std::string text, line(indent);
  std::size_t begin = indent.size();
  for (const std::string& word : words) {
    if (line.size() > begin && line.size() + 1 + word.size() > page_width) {
      text += line + "\n";
      line = further_indent;
      begin = further_indent.size();
    }
    line += (line.size() > begin ? " " : "") + word;
  }
  return text + line + "\n";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace warpz

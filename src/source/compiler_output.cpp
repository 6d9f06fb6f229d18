// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/compiler_output.hpp"

#include <algorithm>
#include <utility>

namespace warpz {

std::vector<std::string> files_in_depfile(std::string_view depfile) {
  std::vector<std::string> files;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) files.push_back(std::exchange(word, {}));
  };
  const std::size_t colon = depfile.find(": ");
  if (colon == std::string_view::npos) return {};
  depfile.remove_prefix(colon + 1);
  for (std::size_t i = 0; i < depfile.size(); ++i) {
    const char next = i + 1 < depfile.size() ? depfile[i + 1] : '\n';
    if (depfile[i] == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      word += depfile[++i];
    } else if (depfile[i] == '$' && next == '$') {
      word += depfile[++i];
    } else if (depfile[i] == '\\' && next == '\n') {
      ++i;
      end_word();
    } else if (depfile[i] == ' ' || depfile[i] == '\n') {
      end_word();
    } else {
      word += depfile[i];
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
    // The first character that is neither a parameter nor a separator ends the sequence.
    i = std::min(text.find_first_not_of("0123456789;:?", i + 2), text.size() - 1);
  }
  return plain;
}

}  // namespace warpz

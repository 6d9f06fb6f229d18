// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/linker.hpp"

#include <algorithm>
#include <utility>

namespace warpz {
namespace {

/// How the linker gets to see linker_objects.
constexpr std::string_view objects_word = "warpz-objects";

/// The words of a line such as ` "/usr/bin/ld" "-o" "a\"b"`.
std::vector<std::string> quoted_words(std::string_view line) {
  std::vector<std::string> words;
  bool is_inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (!std::exchange(is_inside, !is_inside)) words.emplace_back();
    } else if (is_inside) {
      if (line[i] == '\\' && i + 1 < line.size()) ++i;
      words.back() += line[i];
    }
  }
  return words;
}

}  // namespace

command linker_question(command link) {
  link.words.insert(link.words.begin() + 1, "-###");
  return link;
}

std::vector<std::string> linker_words(std::string_view answer) {
  while (!answer.empty()) {
    const std::string_view line = answer.substr(0, answer.find('\n'));
    answer.remove_prefix(std::min(line.size() + 1, answer.size()));
    if (line.starts_with(" \"/") && line.find(objects_word) != line.npos) return quoted_words(line);
  }
  return {};
}

command link_command(std::span<const std::string> linker, const std::string& result,
                     std::span<const std::string> objects) {
  std::vector<std::string> words;
  for (const std::string& word : linker) {
    if (word == objects_word) {
      words.insert(words.end(), objects.begin(), objects.end());
    } else {
      words.push_back(word == linker_result ? result : word);
    }
  }
  return {words, {}};
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/linker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace warpz {
namespace {

/// Where the files stand in the linker's words.
const std::string result_place = "warpz-result", objects_place = "warpz-objects";

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

command linker_question(const cpu_compiler& compiler, const code_settings& settings) {
  // Clang would leave out files that are missing; options for the linker keep their place among the files.
  command asked = link_command(compiler, settings, result_place, std::array{fmt::format("-Wl,{}", objects_place)});
  asked.words.insert(asked.words.begin() + 1, "-###");
  return asked;
}

std::vector<std::string> linker_words(std::string_view answer) {
  while (!answer.empty()) {
    const std::string_view line = answer.substr(0, answer.find('\n'));
    answer.remove_prefix(std::min(line.size() + 1, answer.size()));
    if (line.starts_with(" \"/") && line.find(objects_place) != line.npos) return quoted_words(line);
  }
  return {};
}

command link_command(std::span<const std::string> linker, const std::string& result,
                     std::span<const std::string> objects) {
  std::vector<std::string> words;
  for (const std::string& word : linker) {
    if (word == objects_place) {
      words.insert(words.end(), objects.begin(), objects.end());
    } else {
      words.push_back(word == result_place ? result : word);
    }
  }
  return {words, {}};
}

}  // namespace warpz

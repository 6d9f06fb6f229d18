// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/kernel_names.hpp"

#include <algorithm>
#include <vector>

#include "source/tokens.hpp"

namespace warpz {
std::set<std::string> kernel_names_in(std::string_view source) {
  const std::vector<token> tokens = tokens_of(source);
  std::set<std::string> names;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is("__global__")) continue;
    // Behind it stand attributes, which begin with two underscores and may have parentheses, and the result.
    while (++i + 1 < tokens.size()) {
      const bool is_called_so = tokens[i].kind == token_kind::word && tokens[i + 1].is("(");
      if (is_called_so && !tokens[i].text.starts_with("__")) {
        names.insert(std::string(tokens[i].text));
        break;
      }
      if (is_called_so) i = closing_bracket(tokens, i + 1);
      if (i >= tokens.size()) break;
      if (tokens[i].is(";") || tokens[i].is("{")) break;
    }
  }
  return names;
}

bool has_main(std::string_view source) {
  const std::vector<token> tokens = tokens_of(source);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i].is("main") && tokens[i + 1].is("(")) return true;
  return false;
}

bool is_whole_program(std::string_view source) {
  const std::vector<token> tokens = tokens_of(source);
  return has_main(source) && std::any_of(tokens.begin(), tokens.end(), [](const token& each) {
           return each.is("<<<") || each.is("hipLaunchKernelGGL") || each.is("hipLaunchKernel");
         });
}

std::optional<unsigned> warp_size_said_in(std::string_view source) {
  constexpr std::string_view words = "// warpz: --warp-size ";
  while (!source.empty()) {
    std::string_view line = source.substr(0, source.find('\n'));
    source.remove_prefix(std::min(line.size() + 1, source.size()));
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    if (!line.starts_with(words)) continue;
    if (line.substr(words.size()) == "32") return 32;
    if (line.substr(words.size()) == "64") return 64;
  }
  return {};
}

}  // namespace warpz

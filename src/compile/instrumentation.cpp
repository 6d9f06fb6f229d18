// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/instrumentation.hpp"

#include <fmt/format.h>

#include <string_view>

#include "compile/toolchain.hpp"

namespace warpz {

void add_instrumentation(std::vector<std::string>& words) {
  constexpr std::string_view options = WARPZ_INSTRUMENTATION;
  for (std::string_view rest = options; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    words.emplace_back(word);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  const std::string plugin = toolchain_part("instrument.so", "--check all");
  // Clang 19 knows a plugin's options only where it is loaded so, too.
  words.insert(words.end(), {"-Xclang", "-load", "-Xclang", plugin, fmt::format("-fpass-plugin={}", plugin)});
  add_instrumentation_macros(words);
}

void add_instrumentation_macros(std::vector<std::string>& words) {
  words.emplace_back("-DSIMT_INSTRUMENTED=1");
  add_sanitizer_macro(words);
}

void add_sanitizer_macro(std::vector<std::string>& words) {
  constexpr std::string_view sanitizers = WARPZ_SANITIZERS;
  if (sanitizers.find("address") != std::string_view::npos) words.emplace_back("-DSIMT_ADDRESS_SANITIZER=1");
}

}  // namespace warpz

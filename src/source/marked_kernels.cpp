// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/marked_kernels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace warpz {
namespace {

constexpr std::string_view definition = "define ";

/// The parts of a line such as
/// define dso_local void @_Z4minePfi(float* noundef %output, i32 noundef %size) #0 section "warpz_kernels" !dbg !9 {
struct function_line {
  std::string_view spelled;  ///< "@_Z4minePfi"; in quotes where it has other characters
  std::string_view parameters;
  std::string_view rest;
};

std::optional<function_line> function_of(std::string_view line) {
  const std::size_t at = line.find('@');
  if (!line.starts_with(definition) || at == std::string_view::npos) return {};
  const bool is_quoted = line.substr(at + 1).starts_with('"');
  const std::size_t open = is_quoted ? line.find("\"(", at + 2) + 1 : line.find('(', at);
  if (open == std::string_view::npos || open == 0) return {};
  std::size_t close = open, depth = 0;
  for (; close < line.size(); ++close) {
    if (line[close] == '(') ++depth;
    if (line[close] == ')' && --depth == 0) break;
  }
  if (close == line.size()) return {};
  return function_line{line.substr(at, open - at), line.substr(open + 1, close - open - 1), line.substr(close + 1)};
}

/// The symbol, where what has no place in a name is written as \ and two hexadecimal digits.
std::string symbol_of(std::string_view spelled) {
  spelled.remove_prefix(1);
  if (!spelled.starts_with('"')) return std::string(spelled);
  std::string symbol;
  for (std::size_t i = 1; i + 1 < spelled.size(); ++i) {
    if (spelled[i] != '\\' || i + 2 >= spelled.size()) {
      symbol += spelled[i];
      continue;
    }
    symbol += static_cast<char>(std::stoi(std::string(spelled.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return symbol;
}

/// "float*" and "i32" of "float* noundef %output, i32 noundef %size".
std::vector<std::string_view> types_in(std::string_view parameters) {
  std::vector<std::string_view> types;
  while (!parameters.empty()) {
    const std::string_view one = parameters.substr(0, parameters.find(", "));
    types.push_back(one.substr(0, one.find(' ')));
    parameters.remove_prefix(std::min(one.size() + 2, parameters.size()));
  }
  return types;
}

/// Calls work with each definition of a function.
template <class Work>
void for_each_function(std::string_view code, const Work& work) {
  while (!code.empty()) {
    const std::string_view line = code.substr(0, code.find('\n'));
    if (const auto found = function_of(line)) work(*found);
    code.remove_prefix(std::min(line.size() + 1, code.size()));
  }
}

}  // namespace

std::vector<std::string> functions_in_section(std::string_view code, std::string_view section) {
  std::vector<std::string> found;
  const std::string mark = fmt::format(" section \"{}\"", section);
  for_each_function(code, [&](const function_line& each) {
    if (each.rest.find(mark) != std::string_view::npos) found.push_back(symbol_of(each.spelled));
  });
  return found;
}

std::string with_aliases(std::string code, std::span<const function_alias> aliases) {
  std::string added;
  for (const function_alias& alias : aliases) {
    std::string_view spelled;
    std::vector<std::string_view> types;
    for_each_function(code, [&](const function_line& each) {
      const std::string symbol = symbol_of(each.spelled);
      if (symbol == alias.symbol) spelled = each.spelled;
      if (symbol.starts_with(alias.similar)) types = types_in(each.parameters);
    });
    if (spelled.empty()) continue;
    const std::string type = fmt::format("void ({})", fmt::join(types, ", "));
    // Clang 15 and later have one type for all pointers.
    const bool has_one_pointer_type = std::find(types.begin(), types.end(), "ptr") != types.end();
    added += fmt::format("@{} = hidden alias {}, {} {}\n", alias.name, type, has_one_pointer_type ? "ptr" : type + "*",
                         spelled);
  }
  return std::move(code) + "\n" + added;
}

}  // namespace warpz

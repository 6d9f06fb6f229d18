// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/constant_arrays.hpp"

#include <algorithm>
#include <cstddef>

namespace warpz {
namespace {

constexpr std::string_view constant = "constant";

/// The text that is a type's name at run time.
constexpr std::string_view type_name = "@_ZTS";

/// Where the word stands that makes a constant array of what this line defines, as in
/// "@_ZL5table = internal constant [4 x float] ..."; nowhere, if it does not. What has no address of its own, such as
/// a text in quotes, nobody has declared as an array.
std::size_t place_of_constant(std::string_view line) {
  const std::size_t equals = line.find(" = ");
  if (!line.starts_with('@') || line.starts_with(type_name) || equals == std::string_view::npos)
    return std::string_view::npos;
  const std::string_view manner = line.substr(0, line.find_first_of("[{%\"", equals));
  if (!manner.ends_with(" constant ") || manner.find("unnamed_addr") != std::string_view::npos)
    return std::string_view::npos;
  return line.substr(manner.size(), 1) == "[" ? manner.size() - constant.size() - 1 : std::string_view::npos;
}

}  // namespace

std::string with_accessed_constant_arrays(std::string_view code) {
  std::string result;
  result.reserve(code.size() + code.size() / 64);
  while (!code.empty()) {
    const std::string_view line = code.substr(0, std::min(code.find('\n'), code.size() - 1) + 1);
    code.remove_prefix(line.size());
    const std::size_t at = place_of_constant(line);
    if (at == std::string_view::npos) {
      result += line;
      continue;
    }
    result += line.substr(0, at);
    // Else Clang finds out that nobody writes it.
    if (line.substr(0, at).find(" internal ") != std::string_view::npos) result += "externally_initialized ";
    result += "global";
    result += line.substr(at + constant.size());
  }
  return result;
}

}  // namespace warpz

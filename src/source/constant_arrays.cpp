// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/constant_arrays.hpp"

#include <algorithm>
#include <cstddef>

namespace warpz {
namespace {

constexpr std::string_view constant = "constant";
/// Of a type with elements or members.
constexpr std::string_view begins_type = "[{<%";

/// How what a compiler itself tells of types is called.
constexpr std::string_view type_description = "@_ZT";

/// Where the word stands that makes a constant of what this line defines, if that has elements or members, as in
/// "@_ZL5table = internal constant [4 x float] ..."; else nowhere. An array that ends with many zeros is written as a
/// struct. What has no address of its own, such as a text in quotes, nobody has declared.
std::size_t place_of_constant(std::string_view line) {
  const std::size_t equals = line.find(" = ");
  if (!line.starts_with('@') || line.starts_with(type_description) || equals == std::string_view::npos)
    return std::string_view::npos;
  const std::string_view manner = line.substr(0, line.find_first_of(begins_type, equals));
  if (!manner.ends_with(" constant ") || manner.find("unnamed_addr") != std::string_view::npos)
    return std::string_view::npos;
  return manner.size() < line.size() ? manner.size() - constant.size() - 1 : std::string_view::npos;
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

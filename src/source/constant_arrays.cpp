// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/constant_arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace warpz {
namespace {

constexpr std::string_view keyword = "constant";
/// Begins a type with elements or members.
constexpr std::string_view begins_type = "[{<%";

/// Begins the names of the compiler's own descriptions of types, and of what the machine and the device library have.
constexpr std::string_view names_of_others[] = {"@_ZT", "@_ZN4simt", "@_ZN5warpz"};

bool is_others(std::string_view line) {
  return std::any_of(std::begin(names_of_others), std::end(names_of_others),
                     [&](std::string_view name) { return line.starts_with(name); });
}

/// Where the word "constant" is in the definition of an object with elements or members, as in
/// "@_ZL5table = internal constant [4 x float] ..."; npos in other lines. An array that ends with many zeros is written
/// as a struct. Objects without an address of their own, such as string literals, were not declared by anybody.
std::size_t place_of_constant(std::string_view line) {
  const std::size_t equals = line.find(" = ");
  if (!line.starts_with('@') || is_others(line) || equals == std::string_view::npos) return std::string_view::npos;
  const std::string_view linkage = line.substr(0, line.find_first_of(begins_type, equals));
  if (!linkage.ends_with(" constant ") || linkage.find("unnamed_addr") != std::string_view::npos)
    return std::string_view::npos;
  return linkage.size() < line.size() ? linkage.size() - keyword.size() - 1 : std::string_view::npos;
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
    // Otherwise Clang finds out that nobody writes to it.
    if (line.substr(0, at).find(" internal ") != std::string_view::npos) result += "externally_initialized ";
    result += "global";
    result += line.substr(at + keyword.size());
  }
  return result;
}

}  // namespace warpz

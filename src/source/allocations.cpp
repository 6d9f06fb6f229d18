// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/allocations.hpp"

#include <algorithm>
#include <iterator>

namespace warpz {
namespace {

struct allocation {
  std::string_view name;
  std::string_view own;
};

constexpr allocation allocations[] = {
    {"@malloc", "@simt_malloc"}, {"@_Znwm", "@simt_new"}, {"@_Znam", "@simt_new_array"}};

/// Newer compilers say of a declaration what older ones know by its name.
constexpr std::string_view uninitialized = "allockind(\"alloc,uninitialized\")";

bool is_part_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '$';
}

bool defines(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find("\ndefine "); at != std::string_view::npos; at = text.find("\ndefine ", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at + 1) - at);
    const std::size_t found = line.find(name);
    if (found != std::string_view::npos && line.substr(found + name.size()).starts_with('(')) return true;
  }
  return false;
}

}  // namespace

std::string with_own_allocations(std::string_view intermediate) {
  bool is_defined[std::size(allocations)];
  std::transform(std::begin(allocations), std::end(allocations), is_defined,
                 [&](const allocation& each) { return defines(intermediate, each.name); });
  std::string result;
  result.reserve(intermediate.size());
  for (std::size_t at = 0; at < intermediate.size();) {
    const std::size_t next = std::min(intermediate.find_first_of("@a\"", at), intermediate.size());
    result += intermediate.substr(at, next - at);
    at = next;
    const std::string_view rest = intermediate.substr(at);
    if (rest.starts_with('"')) {
      // What a string says stays, and so does its length.
      const std::size_t end = std::min(rest.find('"', 1), rest.size() - 1) + 1;
      result += rest.substr(0, end);
      at += end;
      continue;
    }
    if (rest.starts_with(uninitialized)) {
      at += uninitialized.size();
      continue;
    }
    const auto found = std::find_if(std::begin(allocations), std::end(allocations), [&](const allocation& each) {
      return rest.starts_with(each.name) &&
             !(rest.size() > each.name.size() && is_part_of_name(rest[each.name.size()]));
    });
    if (found != std::end(allocations) && !is_defined[found - std::begin(allocations)]) {
      result += found->own;
      at += found->name.size();
    } else if (!rest.empty()) {
      result += rest.front();
      ++at;
    }
  }
  return result;
}

}  // namespace warpz

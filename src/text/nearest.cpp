// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/nearest.hpp"

#include <algorithm>
#include <numeric>

namespace warpz {
namespace {

constexpr std::size_t max_suggestions = 4;
constexpr std::size_t shortest_beginning = 3;
// A short word with another first letter is another word: gpu is not a mistyped cpu.
constexpr std::size_t shortest_with_any_letter_wrong = 4;
// All names are much shorter. Comparing a longer text would take quadratic time for nothing.
constexpr std::size_t max_typed = 64;

std::string normal(std::string_view text) {
  std::string plain(text);
  for (char& c : plain) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return plain;
}

bool begins_or_has_word(std::string_view name, std::string_view typed) {
  if (typed.size() < shortest_beginning) return false;
  if (name.starts_with(typed)) return true;
  for (std::size_t at = name.find(typed); at != std::string_view::npos; at = name.find(typed, at + 1)) {
    const std::size_t end = at + typed.size();
    if ((at == 0 || name[at - 1] == '-') && (end == name.size() || name[end] == '-')) return true;
  }
  return false;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  std::iota(current.begin(), current.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_back.swap(previous);
    previous.swap(current);
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] != b[j - 1]);
      current[j] = std::min({replaced, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], two_back[j - 2] + 1);
    }
  }
  return current[b.size()];
}

std::vector<std::string_view> nearest(std::string_view typed, std::span<const std::string_view> known) {
  std::vector<std::string_view> found;
  if (typed.empty() || typed.size() > max_typed) return found;
  const std::string plain = normal(typed);
  for (const std::string_view name : known) {
    if (name == plain) return {name};
    if ((begins_or_has_word(name, plain) || begins_or_has_word(plain, name)) && found.size() < max_suggestions)
      found.push_back(name);
  }
  if (!found.empty()) return found;

  std::size_t least = max_typed;
  for (const std::string_view name : known) {
    const std::size_t distance = edit_distance(plain, name);
    if (3 * distance > name.size() || distance > least) continue;
    if (name.size() < shortest_with_any_letter_wrong && name[0] != plain[0]) continue;
    if (distance < least) found.clear();
    least = distance;
    if (found.size() < max_suggestions) found.push_back(name);
  }
  return found;
}

std::string alternatives(std::span<const std::string_view> names, std::string_view prefix) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += prefix;
    text += names[i];
  }
  return text;
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/launch_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "source/tokens.hpp"
#include "text/number.hpp"

namespace warpz {
namespace {

/// 256 of "256", "256u" and "1'024".
std::optional<std::uint64_t> whole_number(const token& of) {
  if (of.kind != token::what::number) return {};
  std::string digits(of.text);
  std::erase(digits, '\'');
  digits.erase(digits.find_last_not_of("uUlL") + 1);
  return parse_whole(digits);
}

/// What `#define NAME 256` defines; nothing where no line does.
std::optional<std::uint64_t> macro_value(std::string_view source, std::string_view name) {
  for (std::size_t begin = 0, end = 0; begin < source.size(); begin = end + 1) {
    end = std::min(source.find('\n', begin), source.size());
    const std::size_t mark = source.find_first_not_of(" \t", begin);
    if (mark >= end || source[mark] != '#') continue;
    const std::vector<token> line = tokens_of(source.substr(mark + 1, end - mark - 1));
    if (line.size() == 3 && line[0].is("define") && line[1].is(name)) return whole_number(line[2]);
  }
  return {};
}

class bounds {
 public:
  bounds(std::string_view source, std::string_view kernel)
      : source_(source), kernel_(kernel), tokens_(tokens_of(source)) {}

  unsigned least() const {
    std::uint64_t found = none;
    for (std::size_t i = 0; i + 3 < tokens_.size(); ++i) {
      if (!tokens_[i].is("__launch_bounds__") || !tokens_[i + 1].is("(") || !is_before_kernel(i)) continue;
      const bool is_alone = tokens_[i + 3].is(")") || tokens_[i + 3].is(",");
      found = std::min(found, is_alone ? value_of(tokens_[i + 2]).value_or(0) : 0);
    }
    return found > most ? 0 : static_cast<unsigned>(found);
  }

 private:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t most = std::numeric_limits<unsigned>::max();

  bool has(std::size_t place, std::string_view text) const { return place < tokens_.size() && tokens_[place].is(text); }

  /// The first function that is declared from there on, which attributes may come before, is the kernel.
  bool is_before_kernel(std::size_t place) const {
    for (std::size_t i = place; i + 1 < tokens_.size(); ++i) {
      const bool is_name = tokens_[i].kind == token::what::word && (has(i + 1, "(") || has(i + 1, "<"));
      if (!is_name) continue;
      if (!tokens_[i].text.starts_with("__")) return tokens_[i].is(kernel_);
      i = behind_parentheses(i + 1) - 1;
    }
    return false;
  }

  /// Behind the parenthesis that closes the one there.
  std::size_t behind_parentheses(std::size_t place) const {
    std::size_t open = 0;
    do {
      open += has(place, "(") ? 1 : 0;
      open -= has(place, ")") ? 1 : 0;
      ++place;
    } while (open != 0 && place < tokens_.size());
    return place;
  }

  std::optional<std::uint64_t> value_of(const token& of) const {
    if (of.kind != token::what::word) return whole_number(of);
    for (std::size_t i = 0; i + 3 < tokens_.size(); ++i) {
      if (tokens_[i].is(of.text) && has(i + 1, "=") && has(i + 3, ";")) return whole_number(tokens_[i + 2]);
    }
    return macro_value(source_, of.text);
  }

  std::string_view source_;
  std::string_view kernel_;
  std::vector<token> tokens_;
};

}  // namespace

unsigned launch_bound_of(std::string_view source, std::string_view kernel) { return bounds(source, kernel).least(); }

}  // namespace warpz

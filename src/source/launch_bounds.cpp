// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/launch_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "source/tokens.hpp"

namespace warpz {
namespace {

class bound_search {
 public:
  bound_search(std::string_view source, std::string_view kernel)
      : kernel_(kernel),
        tokens_(tokens_of(source)),
        constants_(integer_constants(tokens_of(source, directives::included))) {}

  unsigned smallest() const {
    std::uint64_t found = none;
    for (std::size_t i = 0; i + 3 < tokens_.size(); ++i) {
      if (!tokens_[i].is("__launch_bounds__") || !tokens_[i + 1].is("(") || !is_before_kernel(i)) continue;
      const bool is_alone = tokens_[i + 3].is(")") || tokens_[i + 3].is(",");
      found = std::min(found, is_alone ? value_of(tokens_[i + 2]).value_or(0) : 0);
    }
    return found > max ? 0 : static_cast<unsigned>(found);
  }

 private:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t max = std::numeric_limits<unsigned>::max();

  bool has(std::size_t place, std::string_view text) const { return place < tokens_.size() && tokens_[place].is(text); }

  /// Whether the first function declared from there on is the kernel. Attributes may precede it.
  bool is_before_kernel(std::size_t place) const {
    for (std::size_t i = place; i + 1 < tokens_.size(); ++i) {
      const bool is_name = tokens_[i].kind == token_kind::word && (has(i + 1, "(") || has(i + 1, "<"));
      if (!is_name) continue;
      if (!tokens_[i].text.starts_with("__")) return tokens_[i].is(kernel_);
      i = behind_parentheses(i + 1) - 1;
    }
    return false;
  }

  /// The place behind the parenthesis that closes the one at `place`.
  std::size_t behind_parentheses(std::size_t place) const {
    std::size_t open = 0;
    do {
      open += has(place, "(") ? 1 : 0;
      open -= has(place, ")") ? 1 : 0;
      ++place;
    } while (open != 0 && place < tokens_.size());
    return place;
  }

  std::optional<std::uint64_t> value_of(const token& bound) const {
    const auto constant = constants_.find(bound.text);
    return constant != constants_.end() ? std::optional(constant->second) : integer_value(bound);
  }

  std::string_view kernel_;
  std::vector<token> tokens_;
  std::map<std::string_view, std::uint64_t> constants_;
};

}  // namespace

unsigned launch_bound_of(std::string_view source, std::string_view kernel) {
  return bound_search(source, kernel).smallest();
}

}  // namespace warpz

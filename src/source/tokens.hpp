// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ as the preprocessor leaves it, cut into tokens.
//
// Knows what can hide a character from who looks for it: strings, raw strings, characters, numbers with separators,
// comments and the preprocessor's own lines. Knows no grammar.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace warpz {

struct token {
  enum class what { word, number, literal, mark } kind;
  std::size_t begin;      ///< where it lies in the text
  std::string_view text;  ///< of the marks, `<<<` and any number of `>` are one token; others of one or two characters

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view other) const { return text == other; }
  /// How many angle brackets it closes.
  std::size_t closing_angles() const {
    return kind == what::mark && text.front() == '>' && text.back() == '>' ? text.size() : 0;
  }
};

/// The tokens, without blanks, comments and lines of the preprocessor.
std::vector<token> tokens_of(std::string_view text);

}  // namespace warpz

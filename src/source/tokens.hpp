// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ text cut into tokens.
//
// Knows whatever can hide a character from a search: strings, raw strings, characters, digit separators, comments and
// preprocessor directives. Knows no grammar.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace warpz {

enum class token_kind { word, number, literal, punctuator };

struct token {
  token_kind kind;
  std::size_t begin;      ///< its offset in the text
  std::string_view text;  ///< C++'s longest match, except that `<<<` and any number of `>` are one token
  unsigned line;          ///< the line on which it begins, from 1

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view other) const { return text == other; }
  /// The number of angle brackets that it closes.
  std::size_t closing_angles() const {
    return kind == token_kind::punctuator && text.front() == '>' && text.back() == '>' ? text.size() : 0;
  }
};

/// The tokens of a text, without blanks, comments and preprocessor directives.
std::vector<token> tokens_of(std::string_view text);

/// The number of the bracket, round or square, that closes the one at `open`; the number of tokens if there is none.
std::size_t closing_bracket(const std::vector<token>& tokens, std::size_t open);
/// The number of the one that the bracket at `close` closes; 0 if there is none.
std::size_t opening_bracket(const std::vector<token>& tokens, std::size_t close);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/tokens.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "text/characters.hpp"

namespace warpz {
namespace {

/// Whether a name may contain it; bytes beyond ASCII belong to other alphabets.
constexpr bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::array<std::string_view, 5> literal_prefixes{"", "u8", "u", "U", "L"};
/// Longer ones before those they begin with.
constexpr std::array<std::string_view, 24> long_punctuators{
    "<<<", "<<=", "<=>", "->*", "...", "<<", "<=", "::", "->", "&&", "||", "==",
    "!=",  "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", ".*"};

class tokenizer {
 public:
  explicit tokenizer(std::string_view text) : text_(text) {}

  std::vector<token> all() {
    std::vector<token> found;
    std::size_t counted = 0;
    unsigned line = 1;
    while (skip_to_token()) {
      const std::size_t begin = at_;
      const std::string_view before = text_.substr(counted, begin - counted);
      line += static_cast<unsigned>(std::count(before.begin(), before.end(), '\n'));
      counted = begin;
      const token_kind kind = pass_token();
      found.push_back({kind, begin, text_.substr(begin, at_ - begin), line});
    }
    return found;
  }

 private:
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool has(std::string_view expected) const { return text_.substr(at_, expected.size()) == expected; }
  void pass_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void pass_through(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  bool skip_to_token() {
    for (bool line_begins = at_ == 0; at_ < text_.size();) {
      if (next() == '\n') {
        line_begins = true;
        ++at_;
      } else if (is_blank(next())) {
        ++at_;
      } else if ((next() == '#' && line_begins) || has("//")) {
        pass_line();
      } else if (has("/*")) {
        at_ += 2;
        pass_through("*/");
      } else {
        return true;
      }
    }
    return false;
  }

  token_kind pass_token() {
    if (is_digit(next()) || (next() == '.' && is_digit(next(1)))) return pass_number();
    if (is_name_character(next()) || next() == '"' || next() == '\'') return pass_word_or_literal();
    pass_punctuator();
    return token_kind::punctuator;
  }

  token_kind pass_number() {
    for (; at_ < text_.size(); ++at_) {
      const char c = next();
      const bool separates = c == '\'' && is_name_character(next(1));
      const char before = at_ != 0 ? text_[at_ - 1] : '\0';
      const bool sign = (c == '+' || c == '-') && std::string_view("eEpP").find(before) != std::string_view::npos;
      if (!is_name_character(c) && c != '.' && !separates && !sign) break;
    }
    return token_kind::number;
  }

  token_kind pass_word_or_literal() {
    const std::size_t begin = at_;
    while (is_name_character(next())) ++at_;
    std::string_view word = text_.substr(begin, at_ - begin);
    if (next() != '"' && next() != '\'') return token_kind::word;
    const bool raw = next() == '"' && word.ends_with('R');
    if (raw) word.remove_suffix(1);
    if (std::find(literal_prefixes.begin(), literal_prefixes.end(), word) == literal_prefixes.end()) {
      return token_kind::word;
    }
    raw ? pass_raw() : pass_quoted(next());
    // A literal's own suffix belongs to it.
    while (is_name_character(next())) ++at_;
    return token_kind::literal;
  }

  void pass_raw() {
    const std::size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    at_ = open;
    pass_through(end);
  }

  void pass_quoted(char quote) {
    for (++at_; at_ < text_.size() && next() != quote && next() != '\n'; ++at_) {
      if (next() == '\\') ++at_;
    }
    at_ = std::min(at_ + (next() == quote ? 1 : 0), text_.size());
  }

  void pass_punctuator() {
    if (next() == '>') {
      while (next() == '>') ++at_;
      if (next() == '=') ++at_;
      return;
    }
    const auto found =
        std::find_if(long_punctuators.begin(), long_punctuators.end(), [this](auto each) { return has(each); });
    at_ += found != long_punctuators.end() ? found->size() : 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<token> tokens_of(std::string_view text) { return tokenizer(text).all(); }

std::size_t closing_bracket(const std::vector<token>& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].is("(") || tokens[i].is("[")) ++depth;
    if ((tokens[i].is(")") || tokens[i].is("]")) && --depth == 0) return i;
  }
  return tokens.size();
}

std::size_t opening_bracket(const std::vector<token>& tokens, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (tokens[i].is(")") || tokens[i].is("]")) ++depth;
    if ((tokens[i].is("(") || tokens[i].is("[")) && --depth == 0) return i;
  }
  return 0;
}

}  // namespace warpz

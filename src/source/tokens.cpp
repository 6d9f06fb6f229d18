// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/tokens.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "text/characters.hpp"

namespace warpz {
namespace {

/// Of a name; those of other alphabets too.
constexpr bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

constexpr std::array<std::string_view, 5> literal_prefixes{"", "u8", "u", "U", "L"};
constexpr std::array<std::string_view, 8> long_marks{"<<<", "<<=", "<=>", "<<", "<=", "::", "->", "&&"};

class scanner {
 public:
  explicit scanner(std::string_view text) : text_(text) {}

  std::vector<token> all() {
    std::vector<token> found;
    while (skip_to_token()) {
      const std::size_t begin = at_;
      const token::what kind = pass_token();
      found.push_back({kind, begin, text_.substr(begin, at_ - begin)});
    }
    return found;
  }

 private:
  char next(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool has(std::string_view here) const { return text_.substr(at_, here.size()) == here; }
  void go_behind(std::string_view end) {
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
      } else if (next() == '#' && line_begins) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (has("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (has("/*")) {
        at_ += 2;
        go_behind("*/");
      } else {
        return true;
      }
    }
    return false;
  }

  token::what pass_token() {
    if (is_digit(next()) || (next() == '.' && is_digit(next(1)))) return pass_number();
    if (is_word(next()) || next() == '"' || next() == '\'') return pass_word_or_literal();
    pass_mark();
    return token::what::mark;
  }

  token::what pass_number() {
    for (; at_ < text_.size(); ++at_) {
      const char c = next();
      const bool separates = c == '\'' && is_word(next(1));
      const char before = at_ != 0 ? text_[at_ - 1] : '\0';
      const bool sign = (c == '+' || c == '-') && std::string_view("eEpP").find(before) != std::string_view::npos;
      if (!is_word(c) && c != '.' && !separates && !sign) break;
    }
    return token::what::number;
  }

  token::what pass_word_or_literal() {
    const std::size_t begin = at_;
    while (is_word(next())) ++at_;
    std::string_view word = text_.substr(begin, at_ - begin);
    if (next() != '"' && next() != '\'') return token::what::word;
    const bool raw = next() == '"' && word.ends_with('R');
    if (raw) word.remove_suffix(1);
    if (std::find(literal_prefixes.begin(), literal_prefixes.end(), word) == literal_prefixes.end()) {
      return token::what::word;
    }
    raw ? pass_raw() : pass_quoted(next());
    // A literal's own suffix belongs to it.
    while (is_word(next())) ++at_;
    return token::what::literal;
  }

  void pass_raw() {
    const std::size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    at_ = open;
    go_behind(end);
  }

  void pass_quoted(char quote) {
    for (++at_; at_ < text_.size() && next() != quote && next() != '\n'; ++at_) {
      if (next() == '\\') ++at_;
    }
    at_ = std::min(at_ + (next() == quote ? 1 : 0), text_.size());
  }

  void pass_mark() {
    if (next() == '>') {
      while (next() == '>') ++at_;
      if (next() == '=') ++at_;
      return;
    }
    const auto found = std::find_if(long_marks.begin(), long_marks.end(), [this](auto each) { return has(each); });
    at_ += found != long_marks.end() ? found->size() : 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<token> tokens_of(std::string_view text) { return scanner(text).all(); }

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
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
constexpr std::array<std::string_view, 10> compound_assignments{
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

class tokenizer {
 public:
  tokenizer(std::string_view text, directives wanted) : text_(text), skips_directives_(wanted == directives::skipped) {}

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
      } else if ((next() == '#' && line_begins && skips_directives_) || has("//")) {
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
  const bool skips_directives_;
  std::size_t at_ = 0;
};

bool is_step(const token& each) { return each.is("++") || each.is("--"); }

bool is_compound_assignment(const token& each) {
  return std::find(compound_assignments.begin(), compound_assignments.end(), each.text) != compound_assignments.end();
}

/// Whether the name at `at` is changed there, from a value that it has already.
bool is_changed(std::span<const token> tokens, std::size_t at) {
  if (at > 0 && is_step(tokens[at - 1])) return true;
  return at + 1 < tokens.size() && (is_step(tokens[at + 1]) || is_compound_assignment(tokens[at + 1]));
}

/// Where `#define NAME` or `NAME =` at `at` puts the value, if that is what stands there: the token's place. 0:
/// nowhere.
std::size_t place_of_value(std::span<const token> tokens, std::size_t at) {
  const bool is_defined = at > 1 && tokens[at - 1].is("define") && tokens[at - 2].is("#");
  if (is_defined) return at + 1;
  return at + 1 < tokens.size() && tokens[at + 1].is("=") ? at + 2 : 0;
}

/// The value at `at`, if it is an integer literal and nothing but that.
std::optional<std::uint64_t> only_value(std::span<const token> tokens, std::size_t at) {
  if (at >= tokens.size()) return {};
  const bool ends_line = at + 1 == tokens.size() || tokens[at + 1].line != tokens[at].line;
  const bool is_definition = !tokens[at - 1].is("=");
  const bool is_alone = is_definition ? ends_line && tokens[at].line == tokens[at - 1].line
                                      : at + 1 < tokens.size() && (tokens[at + 1].is(";") || tokens[at + 1].is(","));
  return is_alone ? integer_value(tokens[at]) : std::nullopt;
}

}  // namespace

std::vector<token> tokens_of(std::string_view text, directives wanted) { return tokenizer(text, wanted).all(); }

std::optional<std::uint64_t> integer_value(const token& literal) {
  if (literal.kind != token_kind::number) return {};
  std::string digits(literal.text);
  std::erase(digits, '\'');
  digits.erase(digits.find_last_not_of("uUlL") + 1);
  const bool has_zero = digits.size() > 1 && digits[0] == '0';
  const bool has_letter = has_zero && !is_digit(digits[1]);
  const char letter = has_letter ? digits[1] : '\0';
  const int base = letter == 'x' || letter == 'X' ? 16 : letter == 'b' || letter == 'B' ? 2 : has_zero ? 8 : 10;
  const char* const begin = digits.data() + (has_letter ? 2 : 0);
  const char* const end = digits.data() + digits.size();
  std::uint64_t value = 0;
  const auto [stop, problem] = std::from_chars(begin, end, value, base);
  return problem == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

std::map<std::string_view, std::uint64_t> integer_constants(std::span<const token> tokens) {
  std::map<std::string_view, std::uint64_t> constants;
  std::set<std::string_view> others;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != token_kind::word) continue;
    if (is_changed(tokens, i)) others.insert(tokens[i].text);
    const std::size_t place = place_of_value(tokens, i);
    if (place == 0) continue;
    const std::optional<std::uint64_t> value = only_value(tokens, place);
    if (!value || !constants.emplace(tokens[i].text, *value).second) others.insert(tokens[i].text);
  }
  for (const std::string_view name : others) constants.erase(name);
  return constants;
}

}  // namespace warpz

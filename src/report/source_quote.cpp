// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/source_quote.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/colored.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

constexpr std::size_t max_quotes = 3;
/// The width of a quoted line, in columns, without what stands before it, and the dots where it is cut.
constexpr std::size_t max_width = 100;
constexpr std::size_t width_of_margin = 18;

struct span {
  std::size_t begin = std::string_view::npos;
  std::size_t length = 1;
};

bool is_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The position of the word in the text; nothing where the text does not have it.
span find_word(std::string_view text, std::string_view word) {
  if (word.empty()) return {};
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool is_whole = (at == 0 || !is_in_name(text[at - 1])) && (end == text.size() || !is_in_name(text[end]));
    if (is_whole) return {at, word.size()};
  }
  return {};
}

/// Whether the text before this place has a name in capitals, probably a macro's. Compilers count the columns after its
/// expansion.
bool may_follow_macro(std::string_view text, std::size_t end) {
  for (std::size_t begin = 0; begin < end;) {
    std::size_t after = begin;
    while (after < text.size() && is_in_name(text[after])) ++after;
    const std::string_view word = text.substr(begin, after - begin);
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    if (!word.empty() && !(word[0] >= '0' && word[0] <= '9') && std::none_of(word.begin(), word.end(), is_lower))
      return true;
    begin = after + 1;
  }
  return false;
}

/// The column as a place in the text. Compilers name the begin of an expression, a name or a star, or an operator;
/// nothing where the column is at none of these.
span find_column(std::string_view text, unsigned column) {
  if (column == 0 || column > text.size() || may_follow_macro(text, column)) return {};
  const std::size_t at = column - 1;
  const bool is_inside_name = at > 0 && is_in_name(text[at]) && is_in_name(text[at - 1]);
  return is_inside_name || text[at] == ' ' ? span() : span{at, 1};
}

}  // namespace

std::string source_quotes::next(const source_line& place, std::string_view operation) {
  if (style_.quotes == quoting::none || place.code.empty() || quoted_.size() == max_quotes) return {};
  if (!quoted_.emplace(place.file, place.line).second) return {};
  std::string text = place.code;
  std::replace(text.begin(), text.end(), '\t', ' ');
  span mark = find_word(text, operation);
  if (mark.begin == std::string_view::npos) mark = find_column(text, place.column);
  const bool is_marked = mark.begin != std::string_view::npos;

  const std::size_t width = std::min(max_width, style_.columns - std::min(style_.columns / 2, width_of_margin));
  std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  // What stands before a mark far to the right stays visible.
  if (is_marked && mark.begin > begin + width - 1)
    begin = mark.begin - std::min(width * 7 / 10, width - std::min(width, mark.length));
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) ++begin;
  const std::string_view shown = std::string_view(text).substr(begin);
  std::string quote = fmt::format("      {:>5} |  {}\n", place.line, printable(shown, width));
  if (!is_marked || mark.begin < begin) return quote;
  const std::size_t indent = columns_of(std::string_view(text).substr(begin, mark.begin - begin));
  const std::size_t length = columns_of(std::string_view(text).substr(mark.begin, mark.length));
  const std::string caret = "^" + std::string(std::min(length, width - std::min(indent, width - 1)) - 1, '~');
  return quote +
         fmt::format("            |  {:{}}{}\n", "", indent, colored(caret, green, style_.quotes == quoting::colored));
}

}  // namespace warpz

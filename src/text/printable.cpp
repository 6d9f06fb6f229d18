// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpz {
namespace {

constexpr char32_t not_a_character = 0xFFFE;  // as is the next one; no XML file may contain either

struct decoded {
  char32_t code = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8 begins here
};

// The character that begins at `at`, by the table of well-formed sequences in the Unicode standard (table 3-7).
decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t bytes = 0;
  if (lead >= 0xC2 && lead <= 0xDF) bytes = 2;
  if (lead >= 0xE0 && lead <= 0xEF) bytes = 3;
  if (lead >= 0xF0 && lead <= 0xF4) bytes = 4;
  if (bytes == 0 || text.size() - at < bytes) return {};
  char32_t code = lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, bytes};
}

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string shown;
  auto out = std::back_inserter(shown);
  std::size_t at = 0;
  while (at < text.size()) {
    const decoded next = decode(text, at);
    const std::size_t bytes = std::max<std::size_t>(next.bytes, 1);
    if (at + bytes > limit) return shown + "...";
    if (text[at] == '\n')
      shown += "\\n";
    else if (text[at] == '\t')
      shown += "\\t";
    else if (next.bytes == 0 || is_control(next.code) || next.code == not_a_character ||
             next.code == not_a_character + 1)
      for (std::size_t i = 0; i < bytes; ++i)
        fmt::format_to(out, "\\x{:02x}", static_cast<unsigned char>(text[at + i]));
    else
      shown += text.substr(at, bytes);
    at += bytes;
  }
  return shown;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+";
  if (!text.empty() && text.find_first_not_of(harmless) == std::string_view::npos) return std::string(text);
  const bool is_printable = printable(text, text.size()) == text;
  std::string word = is_printable ? "'" : "$'";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("'\\", at), text.size());
    word += printable(text.substr(at, end - at), text.size());
    if (end < text.size()) {
      const bool ends_quote = is_printable && text[end] == '\'';
      word += ends_quote ? "'\\'" : is_printable ? "" : "\\";
      word += text[end];
    }
    at = end + 1;
  }
  return word + "'";
}

}  // namespace warpz

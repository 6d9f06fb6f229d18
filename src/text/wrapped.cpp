// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/characters.hpp"

namespace warpz {
namespace {

/// Blanks between words stay as they are.
std::string broken_line(std::string_view line, std::size_t width, std::size_t further) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  std::string result, indent(std::min(begin, width / 2), ' ');
  line.remove_prefix(begin);
  while (indent.size() + columns_of(line) > width) {
    std::size_t end = line.find(' ');
    for (std::size_t next = end; next < line.size(); next = line.find(' ', next + 1)) {
      if (indent.size() + columns_of(line.substr(0, next)) > width) break;
      end = next;
    }
    if (end == line.npos) break;
    result += fmt::format("{}{}\n", indent, line.substr(0, line.find_last_not_of(' ', end) + 1));
    line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
    if (result.find('\n') == result.size() - 1) indent.append(further, ' ');
  }
  return result + indent + std::string(line);
}

/// The words of a command, as they are quoted for a shell.
std::vector<std::string> quoted_words_of(std::string_view command) {
  std::vector<std::string> words{""};
  bool is_quoted = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char each = command[i];
    if (each == ' ' && !is_quoted) {
      words.emplace_back();
      continue;
    }
    if (each == '\'') is_quoted = !is_quoted;
    words.back() += each;
    if (each == '\\' && !is_quoted && i + 1 < command.size()) words.back() += command[++i];
  }
  return words;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\x1b[")) {
      i = std::min(text.find('m', i), text.size());
    } else {
      columns += (static_cast<unsigned char>(text[i]) & 0xc0U) != 0x80U ? 1 : 0;
    }
  }
  return columns;
}

std::size_t bytes_of_columns(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  while (bytes < text.size() && columns_of(text.substr(0, bytes + 1)) <= columns) ++bytes;
  return bytes;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (auto end = text.begin();;) {
    const auto begin = std::find_if_not(end, text.end(), is_blank);
    if (begin == text.end()) return words;
    end = std::find_if(begin, text.end(), is_blank);
    words.emplace_back(begin, end);
  }
}

std::vector<std::string> wrapped(std::span<const std::string> words, std::size_t width, std::string_view indent,
                                 std::string_view further_indent) {
  std::vector<std::string> lines{std::string(indent)};
  bool is_first_word = true;
  for (const std::string& word : words) {
    if (!is_first_word && columns_of(lines.back()) + 1 + columns_of(word) > width) {
      lines.emplace_back(further_indent);
      is_first_word = true;
    }
    if (!is_first_word) lines.back() += ' ';
    lines.back() += word;
    is_first_word = false;
  }
  return lines;
}

std::vector<std::string> wrapped(std::string_view words, std::size_t width, std::size_t indent) {
  return wrapped(words_of(words), width, "", std::string(indent, ' '));
}

std::string fitted(std::string_view text, std::size_t width) {
  constexpr std::size_t further = 2;
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    result += columns_of(line) <= width ? std::string(line) : broken_line(line, width, further);
    if (end < text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string broken_command(std::string_view label, std::string_view command, std::size_t width) {
  constexpr std::string_view end_of_line = " \\";
  constexpr std::size_t further = 2;
  if (columns_of(label) + columns_of(command) <= width) return fmt::format("{}{}", label, command);
  const std::size_t least = columns_of(label) + end_of_line.size() + 1;
  const std::vector<std::string> lines = wrapped(quoted_words_of(command), std::max(width, least) - end_of_line.size(),
                                                 label, std::string(columns_of(label) + further, ' '));
  return fmt::format("{}", fmt::join(lines, fmt::format("{}\n", end_of_line)));
}

}  // namespace warpz

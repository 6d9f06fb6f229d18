// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "learn/markdown.hpp"

#include <algorithm>

#include "text/characters.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

constexpr std::string_view fence = "```";
constexpr std::string_view code_indent = "    ";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_item(std::string_view line) { return line.starts_with("- "); }

/// `[text](address)` becomes its text. The marks of emphasis go, those of code stay: they set it off.
std::string without_marks(std::string_view line) {
  std::string text;
  bool is_code = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    is_code ^= line[i] == '`';
    if (!is_code && line[i] == '[') {
      const std::size_t middle = line.find("](", i);
      const std::size_t end = line.find(')', middle == line.npos ? i : middle);
      if (middle != line.npos && end != line.npos) {
        text += line.substr(i + 1, middle - i - 1);
        i = end;
        continue;
      }
    }
    const bool touches_word = (i > 0 && !is_blank(line[i - 1])) || (i + 1 < line.size() && !is_blank(line[i + 1]));
    if (!is_code && line[i] == '*' && touches_word) continue;
    text += line[i];
  }
  return text;
}

void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

/// A line of code that is too wide, as its beginning and the note behind it; without a note, broken at blanks.
std::vector<std::string> code_lines(std::string_view line, std::size_t width) {
  constexpr std::string_view gap = "   ";
  constexpr std::size_t further_indent = 8;
  if (columns_of(line) <= width) return {std::string(line)};
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t place = line.rfind(gap, bytes_of_columns(line, width));
  const bool has_note = place != line.npos && place > begin;
  const std::string indent(begin, ' ');
  if (!has_note) {
    std::vector<std::string> lines =
        wrapped(line, width - std::min(begin, width), further_indent - std::min(begin, further_indent));
    for (std::string& each : lines) each.insert(0, indent);
    return lines;
  }
  std::vector<std::string> lines{std::string(line.substr(0, line.find_last_not_of(' ', place) + 1))};
  append(lines, wrapped(line.substr(place), width - std::min(further_indent, width)));
  for (std::size_t i = 1; i < lines.size(); ++i) lines[i].insert(0, further_indent, ' ');
  return lines;
}

}  // namespace

std::vector<std::string> markdown_blocks(std::string_view markdown) {
  std::vector<std::string> blocks;
  bool is_fenced = false;
  bool begins_block = true;
  for (const std::string_view line : lines_of(markdown)) {
    if (line.empty() && !is_fenced) {
      begins_block = true;
      continue;
    }
    const bool continues_code =
        !blocks.empty() && blocks.back().starts_with(code_indent) && line.starts_with(code_indent);
    if (begins_block && continues_code) blocks.back() += '\n';
    if (begins_block && !continues_code) blocks.emplace_back();
    begins_block = false;
    if (line.starts_with(fence)) is_fenced = !is_fenced;
    blocks.back().append(blocks.back().empty() ? "" : "\n").append(line);
  }
  return blocks;
}

std::vector<std::string> terminal_lines(std::string_view block, std::size_t width) {
  std::vector<std::string_view> given = lines_of(block);
  std::vector<std::string> lines;
  if (block.starts_with(fence)) {
    std::erase_if(given, [](std::string_view line) { return line.starts_with(fence); });
  }
  if (block.starts_with(fence) || block.starts_with(code_indent)) {
    for (const std::string_view line : given) append(lines, code_lines(line, width));
    return lines;
  }
  if (block.starts_with('|') || block.starts_with('<')) return {given.begin(), given.end()};
  std::string words;
  for (std::size_t i = 0; i < given.size(); ++i) {
    words += without_marks(given[i]) + " ";
    if (i + 1 < given.size() && !is_item(given[i + 1])) continue;
    append(lines, wrapped(words, width, is_item(words) ? 2 : 0));
    words.clear();
  }
  return lines;
}

std::string terminal_text(std::string_view markdown, std::size_t width) {
  std::string text;
  for (const std::string& block : markdown_blocks(markdown)) {
    if (!text.empty()) text += '\n';
    for (const std::string& line : terminal_lines(block, width)) text += line + "\n";
  }
  return text;
}

}  // namespace warpz

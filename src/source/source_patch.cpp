// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/source_patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace warpz {

void source_patch::change_line(std::size_t begin, std::size_t end, unsigned line, std::string text) {
  changes_.push_back({begin, end, line, std::move(text)});
}

void source_patch::replace(std::size_t first, std::size_t last, std::string text) {
  const unsigned line = outline_.line_of(first);
  is_possible_ = is_possible_ && outline_.line_of(last) == line;
  change_line(outline_.tokens()[first].begin, outline_.tokens()[last].end(), line, std::move(text));
}

void source_patch::put_before(std::size_t number, std::string text) {
  const std::size_t at = outline_.tokens()[number].begin;
  change_line(at, at, outline_.line_of(number), std::move(text));
}

void source_patch::put_behind(std::size_t number, std::string text) {
  const std::size_t at = outline_.tokens()[number].end();
  change_line(at, at, outline_.line_of(number), std::move(text));
}

std::string source_patch::indented(std::size_t number, const std::string& text) const {
  const std::string_view indent = outline_.indent_of(outline_.line_of(number));
  std::string found(indent);
  for (const char each : text) {
    found += each;
    if (each == '\n') found += indent;
  }
  return found;
}

void source_patch::put_lines_before(std::size_t number, const std::string& text) {
  const unsigned line = outline_.line_of(number);
  const bool is_alone = line > 1 && (number == 0 || outline_.line_of(number - 1) != line);
  if (is_alone) {
    // A loop's pragma stays with it.
    unsigned before = line - 1;
    while (before > 1 && outline_.line_text(before).substr(outline_.indent_of(before).size()).starts_with("#pragma"))
      --before;
    put_lines({before, false, indented(number, text)});
  } else {
    put_before(number, text.substr(std::min(text.find_first_not_of(' '), text.size())) + " ");
  }
}

/// What comes behind one line is one change.
void source_patch::put_lines(line_edit edit) {
  const auto known =
      std::find_if(lines_.begin(), lines_.end(), [&](const line_edit& each) { return each.line == edit.line; });
  if (known == lines_.end()) {
    lines_.push_back(std::move(edit));
  } else {
    known->text += "\n" + edit.text;
  }
}

void source_patch::put_lines_behind(std::size_t number, const std::string& text) {
  const unsigned line = outline_.line_of(number);
  const bool is_alone = number + 1 == outline_.tokens().size() || outline_.line_of(number + 1) != line;
  if (is_alone) {
    put_lines({line, false, indented(number, text)});
  } else {
    put_behind(number, " " + text.substr(std::min(text.find_first_not_of(' '), text.size())));
  }
}

void source_patch::clear() {
  changes_.clear();
  lines_.clear();
  is_possible_ = true;
}

std::optional<std::vector<line_edit>> source_patch::edits() const {
  if (!is_possible_) return {};
  // From the end on, so that what is before stays where it is.
  std::vector<change> changes(changes_.rbegin(), changes_.rend());
  std::stable_sort(changes.begin(), changes.end(), [](const change& one, const change& other) {
    return std::pair(one.begin, one.end) > std::pair(other.begin, other.end);
  });
  std::map<unsigned, std::string> changed;
  for (const change& each : changes) {
    const std::string_view whole = outline_.line_text(each.line);
    std::string& text = changed.emplace(each.line, whole).first->second;
    text.replace(each.begin - outline_.begin_of(each.line), each.end - each.begin, each.text);
  }
  // What comes behind a line stands before what replaces it, which may be several lines.
  std::vector<line_edit> found = lines_;
  for (auto& [line, text] : changed) found.push_back({line, true, std::move(text)});
  std::stable_sort(found.begin(), found.end(),
                   [](const line_edit& one, const line_edit& other) { return one.line < other.line; });
  return found;
}

}  // namespace warpz

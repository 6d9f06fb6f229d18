// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/launch_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include "source/compiler_output.hpp"

namespace warpz {
namespace {

/// In a line that is not the user's any more: a launch, a kernel, and dynamic shared memory.
constexpr std::array<std::string_view, 3> rewritten_marks{
    "::simt::launch_configured(", "__attribute__((annotate(\"warpz_kernel\")))", "__get_dynamicgroupbaseptr()"};

bool is_rewritten(std::string_view text) {
  return std::any_of(rewritten_marks.begin(), rewritten_marks.end(),
                     [text](std::string_view each) { return text.find(each) != std::string_view::npos; });
}

/// What is said of one place, in lines: where and what, the quoted line, the marks below it.
using message = std::vector<std::string>;

struct place {
  std::string file;
  unsigned long line = 0;
  unsigned long column = 0;

  std::string text() const { return fmt::format("{}:{}:{}: ", file, line, column); }
};

/// Takes the number that the text begins with, and the mark behind it.
std::optional<unsigned long> take_number(std::string_view& text, std::string_view mark) {
  unsigned long number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (!text.starts_with(mark)) return {};
  text.remove_prefix(mark.size());
  return number;
}

/// The place that a line names at its beginning: "file:7:3: error: ...".
std::optional<place> place_at_beginning_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos || line[0] == ' ' || line[0] == '\t') return {};
  std::string_view rest = line.substr(colon + 1);
  const auto number = take_number(rest, ":");
  const auto column = number ? take_number(rest, ": ") : std::nullopt;
  if (!column) return {};
  return place{std::string(line.substr(0, colon)), *number, *column};
}

/// "2 errors generated."
bool is_count(std::string_view line) {
  return take_number(line, " ") && (line.starts_with("error") || line.starts_with("warning"));
}

bool begins_message(const std::string& colored) {
  const std::string line = without_colors(colored);
  return place_at_beginning_of(line) || line.starts_with("In file included ") || is_count(line);
}

std::vector<message> messages_in(std::string_view text) {
  std::vector<message> all(1);
  while (!text.empty()) {
    const std::string line(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (begins_message(line)) all.emplace_back();
    all.back().push_back(line);
  }
  return all;
}

std::string line_of(const std::string& text, unsigned long number) {
  std::size_t begin = 0;
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return "";
    begin = end + 1;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where the word that is at `column` of the rewritten line stands in the user's, from 1.
std::size_t users_column(const std::string& rewritten, std::size_t column, const std::string& users) {
  std::size_t end = std::min(column - 1, rewritten.size());
  const std::size_t begin = end;
  while (end < rewritten.size() && is_of_name(rewritten[end])) ++end;
  const std::string word = rewritten.substr(begin, end - begin);
  const auto same = std::mismatch(rewritten.begin(), rewritten.end(), users.begin(), users.end()).first;
  if (begin < static_cast<std::size_t>(same - rewritten.begin())) return column;
  for (std::size_t at = users.find(word); !word.empty() && at != std::string::npos; at = users.find(word, at + 1)) {
    const std::size_t behind = at + word.size();
    if ((at == 0 || !is_of_name(users[at - 1])) && (behind == users.size() || !is_of_name(users[behind])))
      return at + 1;
  }
  return std::min(users.find_first_not_of(" \t"), users.size()) + 1;
}

void put_into_users_terms(message& one, const source_reader& read) {
  if (one.size() < 2 || !is_rewritten(one[1])) return;
  std::optional<place> named = place_at_beginning_of(without_colors(one[0]));
  if (!named) return;
  const std::string rewritten_place = named->text();
  const std::size_t at = one[0].find(rewritten_place);
  if (at == std::string::npos) return;
  const std::string users = line_of(read(named->file), named->line);
  named->column = users_column(without_colors(one[1]), named->column, users);
  one[0].replace(at, rewritten_place.size(), named->text());
  const bool has_line = !users.empty();
  // What follows the marks is about something else.
  const auto rest = std::find_if(one.begin() + 2, one.end(), [](const std::string& line) {
    return without_colors(line).find_first_not_of(" ~^") != std::string::npos;
  });
  message changed = {one[0]};
  if (has_line) changed.insert(changed.end(), {users, std::string(named->column - 1, ' ') + "^"});
  changed.insert(changed.end(), rest, one.end());
  one = std::move(changed);
}

}  // namespace

std::string with_users_lines(std::string_view messages, const source_reader& read) {
  if (!is_rewritten(messages)) return std::string(messages);
  std::string text;
  const message* before = nullptr;
  std::vector<message> all = messages_in(messages);
  for (message& each : all) {
    put_into_users_terms(each, read);
    if (before != nullptr && *before == each) continue;
    before = &each;
    for (const std::string& line : each) text += line + "\n";
  }
  return text;
}

}  // namespace warpz

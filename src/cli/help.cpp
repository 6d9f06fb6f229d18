// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/option_table.hpp"
#include "exit_codes.hpp"
#include "puzzle/puzzle.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

// The column in which the texts begin; a puzzle's summary fits into the rest of the line.
constexpr std::size_t text_column = 32;
// The column in which further lines of a kernel's parameters begin.
constexpr std::size_t kernel_column = 6;

constexpr std::string_view introduction =
    "warpz runs GPU kernels in which the lanes of a warp talk to each other.\n"
    "\n"
    "Usage: warpz PUZZLE...|FILE.hip|DIR [OPTION]...\n"
    "       warpz --run FILE... [OPTION]... [--cxxflags FLAG...] [-- ARGUMENT...]\n"
    "       warpz COMMAND [OPERAND]...\n";

constexpr std::string_view all_options = "options";
constexpr std::string_view exit_codes = "exit-codes";

constexpr std::string_view examples =
    "Examples:\n"
    "  warpz neighbor average              two puzzles with 32 lanes\n"
    "  warpz --all --warp-size 64          all of them with 64\n"
    "  warpz --prefix-sum --random 1 --size 100000\n"
    "  warpz neighbor mine.hip             with a kernel of your own\n"
    "  warpz --run a.hip b.hip -- 1000     a whole program of your own\n"
    "  WARPZ_WORKERS=2 warpz mine.hip --schedules 20  divided among two workers\n"
    "  seq 50 | warpz --partition --pivot 10 --input - --quiet\n"
    "  source <(warpz --completion bash)\n";

std::string spelling(const option_row& row) {
  std::string text = row.letter != 0 ? fmt::format("-{}, ", row.letter) : "";
  text += fmt::format("--{}", row.name);
  if (!row.takes.empty()) text += fmt::format(" {}", row.takes);
  return text;
}

std::string explanation(const option_row& row) {
  return row.without.empty() ? std::string(row.help) : fmt::format("{} [default: {}]", row.help, row.without);
}

/// Appends words to a text. They go on in its last line, and the next lines begin at `begin`.
void append_wrapped(std::string& text, std::string_view words, std::size_t begin = text_column) {
  const std::string last_line = text.substr(text.rfind('\n') + 1);
  text.resize(text.size() - last_line.size());
  text +=
      fmt::format("{}\n", fmt::join(wrapped(words_of(words), page_columns, last_line, std::string(begin, ' ')), "\n"));
}

void append_option(std::string& text, const option_row& row) {
  std::string begin = fmt::format("  {}", spelling(row));
  if (begin.size() + 2 > text_column) {
    text += begin + '\n';
    begin.clear();
  }
  text += fmt::format("{:{}}", begin, text_column);
  append_wrapped(text, explanation(row));
}

/// "kernels" of "Kernels of your own".
std::string topic_of(option_group group) {
  std::string topic(title(group).substr(0, title(group).find_first_of(" ,")));
  topic.front() = static_cast<char>(topic.front() - 'A' + 'a');
  return topic;
}

std::string group_text(option_group group) {
  std::string text = fmt::format("{}:\n", title(group));
  for (const option_row& row : option_table())
    if (row.group == group) append_option(text, row);
  return text;
}

std::string exit_codes_text() {
  std::string text = "Exit codes, the first of 2, 4, 5, 3, 1 where several apply:\n";
  for (const auto& [code, meaning] : exit_code_meanings)
    text += fmt::format("  {}  {}\n", static_cast<int>(code), meaning);
  return text;
}

constexpr std::string_view host_compiler =
#ifdef __clang__
    "Clang " __clang_version__;
#else
    "GCC " __VERSION__;
#endif

}  // namespace

std::string help_text() {
  std::string topics;
  for (const option_group group : option_groups) topics += topic_of(group) + ", ";
  std::string text = fmt::format("{}\nCommands:\n{}\n", introduction, commands_help());
  append_wrapped(text,
                 fmt::format("warpz help TOPIC tells more: of a command, of a puzzle, or of {}{}, {}.", topics,
                             all_options, exit_codes),
                 0);
  return text + "The beginning: warpz learn\n";
}

std::optional<std::string> help_on_options(std::string_view topic) {
  if (topic == exit_codes) return exit_codes_text();
  if (topic == all_options) {
    std::string text(introduction);
    for (const option_group group : option_groups) text += "\n" + group_text(group);
    return fmt::format("{}\n{}\n{}", text, examples, exit_codes_text());
  }
  for (const option_group group : option_groups) {
    if (topic == topic_of(group)) return group_text(group);
  }
  return {};
}

std::string list_text() {
  std::size_t flag = 0;
  for (const puzzle* one : puzzles()) flag = std::max(flag, one->flag.size());
  std::string text;
  for (const puzzle* one : puzzles()) {
    text += fmt::format("--{:{}}  {}\n", one->flag, flag, one->title);
    const std::string kernel = fmt::format("  {}(", one->kernel);
    text += kernel;
    append_wrapped(text, signature_of(*one) + ")", kernel_column);
  }
  return text;
}

std::string list_lines() {
  std::string text;
  for (const puzzle* one : puzzles()) {
    text += fmt::format("--{}\t{}\t{}({})\n", one->flag, one->title, one->kernel, signature_of(*one));
  }
  return text;
}

std::string version_text() { return fmt::format("warpz {}\nbuilt by {}\n", WARPZ_VERSION, host_compiler); }

}  // namespace warpz

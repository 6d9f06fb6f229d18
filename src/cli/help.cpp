// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/option_table.hpp"
#include "exit_codes.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {
namespace {

constexpr std::size_t width = 80;
// The column in which the texts begin; a puzzle's summary fits into the rest of the line.
constexpr std::size_t text_column = 32;
// The column in which further lines of a kernel's parameters begin.
constexpr std::size_t kernel_column = 6;

constexpr std::string_view introduction =
    "warpz runs GPU kernels in which the lanes of a warp talk to each other.\n"
    "\n"
    "Usage: warpz --PUZZLE... [OPTION]...\n"
    "       warpz --all [OPTION]...\n"
    "       warpz --run FILE... [OPTION]... [--cxxflags FLAG...] [-- ARGUMENT...]\n";

constexpr std::string_view examples =
    "Examples:\n"
    "  warpz --neighbor --average          two puzzles with 32 lanes\n"
    "  warpz --all --warp-size 64          all of them with 64\n"
    "  warpz --prefix-sum --random 1 --size 100000\n"
    "  warpz --neighbor --kernel mine.hip  with a kernel of your own\n"
    "  warpz --run a.hip b.hip -- 1000     a whole program of your own\n"
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

// Appends words to a text. Its last line has `column` bytes already, and the next lines begin at `begin`. Counting
// bytes as columns never makes a line too long.
void append_wrapped(std::string& text, std::size_t column, std::string_view words, std::size_t begin = text_column) {
  bool line_begins = true;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    if (!line_begins && column + 1 + word.size() > width) {
      text += '\n';
      text.append(begin, ' ');
      column = begin;
      line_begins = true;
    }
    if (!line_begins) text += ' ';
    text += word;
    column += word.size() + (line_begins ? 0 : 1);
    line_begins = false;
  }
  text += '\n';
}

void append_option(std::string& text, const option_row& row) {
  std::string begin = fmt::format("  {}", spelling(row));
  if (begin.size() + 2 > text_column) {
    text += begin + '\n';
    begin.clear();
  }
  text += fmt::format("{:{}}", begin, text_column);
  append_wrapped(text, text_column, explanation(row));
}

constexpr std::string_view host_compiler =
#ifdef __clang__
    "Clang " __clang_version__;
#else
    "GCC " __VERSION__;
#endif

}  // namespace

std::string help_text() {
  std::string text(introduction);
  const std::vector<option_row> table = option_table();
  for (const option_group group : option_groups) {
    text += fmt::format("\n{}:\n", title(group));
    for (const option_row& row : table)
      if (row.group == group) append_option(text, row);
  }
  text += fmt::format("\n{}", examples);
  text += "\nExit codes, the first of 2, 4, 5, 3, 1 where several apply:\n";
  for (const auto& [code, meaning] : exit_code_meanings)
    text += fmt::format("  {}  {}\n", static_cast<int>(code), meaning);
  return text;
}

std::string list_text() {
  std::size_t flag = 0;
  for (const puzzle* one : puzzles()) flag = std::max(flag, one->flag.size());
  std::string text;
  for (const puzzle* one : puzzles()) {
    text += fmt::format("--{:{}}  {}\n", one->flag, flag, one->title);
    const std::string kernel = fmt::format("  {}(", one->kernel);
    text += kernel;
    append_wrapped(text, kernel.size(), signature_of(*one) + ")", kernel_column);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/option_table.hpp"
#include "exit_codes.hpp"
#include "puzzle/puzzle.hpp"

namespace warpz {
namespace {

/// Text that roff takes for nothing else: a line may begin with a dot, and a dash would become a hyphen.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char each : text) {
    const bool begins_line = escaped.empty() || escaped.back() == '\n';
    if (begins_line && (each == '.' || each == '\'')) escaped += "\\&";
    if (each == '\\') {
      escaped += "\\e";
    } else if (each == '-') {
      escaped += "\\-";
    } else {
      escaped += each;
    }
  }
  return escaped;
}

std::string option_entry(const option_row& row) {
  std::string names = row.letter != 0 ? fmt::format("\\fB{}\\fR, ", roff(fmt::format("-{}", row.letter))) : "";
  names += fmt::format("\\fB{}\\fR", roff(fmt::format("--{}", row.name)));
  if (!row.takes.empty()) names += fmt::format(" \\fI{}\\fR", roff(row.takes));
  const std::string without = row.without.empty() ? "" : fmt::format(" [default: {}]", row.without);
  return fmt::format(".TP\n{}\n{}{}\n", names, roff(row.help), roff(without));
}

/// What a command's help has behind its first line: sentences, and options with what they are beside or below them.
/// roff breaks the lines.
std::string command_text(std::string_view text) {
  constexpr std::string_view gap = "  ";
  std::string page;
  bool is_option = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_indented = line.starts_with(gap);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (is_indented && line.starts_with('-')) {
      const std::size_t names = std::min(line.find(gap), line.size());
      page += fmt::format(".TP\n\\fB{}\\fR\n", roff(line.substr(0, names)));
      line.remove_prefix(std::min(line.find_first_not_of(' ', names), line.size()));
      is_option = true;
    } else if (is_option && !is_indented) {
      page += ".PP\n";
      is_option = false;
    }
    if (!line.empty()) page += roff(line) + "\n";
  }
  return page;
}

}  // namespace

std::string manual_page() {
  std::string text = fmt::format(
      ".TH WARPZ 1 \"\" \"warpz {}\"\n"
      ".SH NAME\nwarpz \\- check GPU kernels whose lanes talk to each other\n"
      ".SH SYNOPSIS\n"
      "\\fBwarpz\\fR \\fIPUZZLE\\fR...|\\fIFILE.hip\\fR|\\fIDIR\\fR [\\fIOPTION\\fR]...\n.br\n"
      "\\fBwarpz \\-\\-run\\fR \\fIFILE\\fR... [\\fIOPTION\\fR]... [\\fB\\-\\-cxxflags\\fR \\fIFLAG\\fR...] "
      "[\\fB\\-\\-\\fR "
      "\\fIARGUMENT\\fR...]\n.br\n"
      "\\fBwarpz\\fR \\fICOMMAND\\fR [\\fIOPERAND\\fR]...\n"
      ".SH DESCRIPTION\n"
      "warpz compiles and runs HIP kernels on a CPU machine that behaves like a GPU with warps of 32 or 64 lanes. It "
      "names the lane and the line that go wrong. Its puzzles teach the operations of a warp. "
      "\\fBwarpz \\-\\-list\\fR shows them, and \\fBwarpz learn\\fR begins a course of them.\n"
      ".SH COMMANDS\n",
      WARPZ_VERSION);
  for (const std::string_view name : command_names()) {
    const std::string help = *help_on_command(name);
    const std::size_t head = help.find(": "), line = help.find('\n');
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n.RS\n.PP\n{}.RE\n", roff(help.substr(0, head)),
                        roff(help.substr(head + 2, line - head - 2)), command_text(help.substr(line + 1)));
  }
  text += ".SH OPTIONS\nEach puzzle is an option of its own, such as \\fB\\-\\-neighbor\\fR.\n";
  for (const option_group group : option_groups) {
    text += fmt::format(".SS {}\n", roff(title(group)));
    for (const option_row& row : option_table()) {
      if (row.group == group && find_puzzle(row.name) == nullptr) text += option_entry(row);
    }
  }
  text += ".SH EXIT STATUS\nWhere several apply: the first of 2, 4, 5, 3, 1.\n";
  for (const auto& [code, meaning] : exit_code_meanings)
    text += fmt::format(".TP\n{}\n{}\n", static_cast<int>(code), roff(meaning));
  return text + ".SH SEE ALSO\nThe documents in the folder doc/warpz beside this page's man folder.\n";
}

}  // namespace warpz

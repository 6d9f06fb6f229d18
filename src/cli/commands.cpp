// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/commands.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>

#include "cli/option_table.hpp"
#include "cli/refusal.hpp"
#include "error.hpp"
#include "puzzle/puzzle.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

struct command_row {
  const char* name;
  const char* takes;        ///< its operands, as its help has them
  std::size_t least, most;  ///< how many of them
  const char* help;
  const char* more;  ///< lines, each ended
};

constexpr std::array rows{
    command_row{"learn", "[DIR|PUZZLE]", 0, 1, "begin the course in a folder of your own, or go on",
                "It writes the course to DIR, or to warpz-course: a file for each puzzle, the\n"
                "tasks, settings for editors. No file that is there is changed. Called again, it\n"
                "says what is next. With PUZZLE, it shows that task.\n"},
    command_row{"watch", "[DIR]", 0, 1, "judge each file of the course when you save it",
                "It shows the verdict, one finding, and the elements around the first\n"
                "difference. A kernel is stopped after 5 seconds, or ten times what the solution\n"
                "takes.\n"
                "Keys: h hint, k task, t trace, p page, a judge all, n next puzzle, q quit.\n"},
    command_row{"hint", "[PUZZLE]", 0, 1, "one hint more; --solution: the solution",
                "Without PUZZLE, for the one that was tried last, or the next where that is done.\n"
                "How the last attempt went decides which hint comes next.\n"
                "  --solution  show the solution, after a question\n"
                "  --yes       do not ask\n"},
    command_row{"status", "[DIR]", 0, 1, "what is done, tried and open",
                "Without DIR, in this folder, in one above it, or in warpz-course.\n"},
    command_row{"reset", "PUZZLE", 1, 1, "the problem again; your file is kept beside it",
                "Your file is kept as PUZZLE.hip.1~, the next one as PUZZLE.hip.2~.\n"
                "  --yes  do not ask\n"},
    command_row{"grade", "DIR...", 1, 1000000, "judge what a class has handed in, a row for each student",
                "DIR is a student's folder with files such as vote.hip, or a folder of such\n"
                "folders.\n"
                "  --puzzles LIST   such as neighbor,vote [default: those that somebody has]\n"
                "  --puzzles DIR    those in a folder of your own\n"
                "  --limit SECONDS  for all together [default: none]\n"
                "  --jobs N         judge N files at the same time [default: one for each core]\n"
                "  --csv FILE, --json FILE, --junit FILE, --html FILE\n"
                "                   write the results there, too\n"
                "mpirun -n 64 warpz grade DIR, or WARPZ_WORKERS=N in the environment, divides the\n"
                "files among workers; docs/many-machines.md says how.\n"},
    command_row{"new", "DIR", 1, 1, "write a puzzle of your own, to begin with",
                "The last part of DIR is the puzzle's name, such as rotate-left. It is a puzzle\n"
                "that works: a task, a problem, a solution and a reference in Python.\n"
                "docs/own-puzzles.md says what each file may have.\n"},
    command_row{"mcp", "", 0, 0, "serve a coding agent, which checks kernels by it",
                "It speaks the Model Context Protocol on standard input and output: an agent\n"
                "starts it. Its tools: check, costs, trace. docs/mcp.md shows how to set it up.\n"},
    command_row{"help", "[TOPIC]", 0, 1, "about a command, a puzzle or a group of options",
                "Without TOPIC, it lists the topics. warpz help man writes the manual page.\n"},
};

/// "hint [PUZZLE]"
std::string spelling(const command_row& row) {
  return *row.takes == '\0' ? row.name : fmt::format("{} {}", row.name, row.takes);
}

/// Null where the word is no command.
const command_row* row_of(std::string_view word) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [word](const command_row& each) { return each.name == word; });
  return row == rows.end() ? nullptr : &*row;
}

[[noreturn]] void refuse_command(const command_row& row, const std::string& problem) {
  throw error(exit_code::bad_input, fmt::format("warpz {} {}", row.name, problem),
              fmt::format("warpz help {} says what it takes.", row.name));
}

void add(CLI::App& app, const command_row& row, word_command& command) {
  CLI::App* const one = app.add_subcommand(row.name, row.help);
  one->set_help_flag("-h,--help");
  one->allow_extras();
  one->add_option("operands", command.operands)->expected(0, -1);
  const std::string_view name = row.name;
  if (name == "hint") one->add_flag("--solution", command.solution);
  if (name == "hint" || name == "reset") one->add_flag("--yes", command.yes);
  if (name != "new")
    one->add_option("--puzzles", command.puzzles)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  if (name == "grade") {
    one->add_option("--limit", command.limit)->check(CLI::PositiveNumber);
    one->add_option("--jobs", command.jobs)->check(CLI::Range(1, 1024));
    one->add_option("--csv", command.csv);
    one->add_option("--json", command.json);
    one->add_option("--junit", command.junit);
    one->add_option("--html", command.html);
  }
  one->callback([&command, &row] { command.name = row.name; });
}

/// How many of the words behind an option are its value.
std::size_t words_of_value(const option_row& row, std::span<const std::string> next) {
  const auto is_value = [](const std::string& word) { return word.size() < 2 || word[0] != '-'; };
  switch (row.kind) {
    case value_kind::none:
      return 0;
    case value_kind::files:
      return static_cast<std::size_t>(std::find_if_not(next.begin(), next.end(), is_value) - next.begin());
    default:
      break;
  }
  if (next.empty()) return 0;
  // A value that may be missing is none where it is a puzzle.
  const bool is_missing = !row.implied.empty() && (!is_value(next[0]) || find_puzzle(next[0]) != nullptr);
  return is_missing ? 0 : 1;
}

/// A word without dashes that stands for itself. `file` is the one that was named before, if any.
std::string as_option(const std::string& word, bool has_option, std::string& file) {
  if (find_puzzle(word) != nullptr) return "--" + word;
  std::error_code failed;
  if (word.ends_with(".hip") || std::filesystem::exists(word, failed)) {
    if (!file.empty())
      throw error(exit_code::bad_input, fmt::format("two files are named, {} and {}", printable(file), printable(word)),
                  "Judge one after the other, or the folder in which they are.");
    file = word;
    return "--kernel=" + word;
  }
  // Behind options it may be a value that is one too many.
  if (has_option) return word;
  std::vector<std::string_view> known = command_names();
  for (const puzzle* each : puzzles()) known.push_back(each->flag);
  const auto near = nearest(word, known);
  throw error(exit_code::bad_input,
              fmt::format("'{}' is no command, no puzzle and no file", printable(word, max_shown)),
              near.empty() ? "warpz --help shows the commands, warpz --list the puzzles."
                           : fmt::format("Did you mean {}?", alternatives(near)));
}

}  // namespace

std::optional<word_command> parse_command(int count, const char* const* arguments) {
  const command_row* const row = count < 2 ? nullptr : row_of(arguments[1]);
  if (row == nullptr) return {};
  word_command command;
  CLI::App app;
  // It alone: a command's name may be the operand of another.
  add(app, *row, command);
  try {
    std::vector<std::string> words(arguments + 1, arguments + count);
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return word_command{.name = "help", .operands = {arguments[1]}};
  } catch (const CLI::ParseError& problem) {
    refuse_command(*row, fmt::format("is not understood: {}", printable(problem.what())));
  }
  if (const auto others = app.remaining(true); !others.empty())
    refuse_command(*row, fmt::format("takes no '{}'", printable(others.front(), max_shown)));
  const std::size_t count_given = command.operands.size();
  if (count_given < row->least) refuse_command(*row, fmt::format("needs {}", row->takes));
  if (count_given > row->most)
    refuse_command(*row, fmt::format("takes no '{}'", printable(command.operands[row->most], max_shown)));
  return command;
}

std::vector<std::string> folders_of_puzzles(int count, const char* const* arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::string> folders;
  app.add_option("--puzzles", folders)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  std::vector<std::string> words(arguments + std::min(count, 1), arguments + count);
  // What follows is a program's own.
  words.erase(std::find(words.begin(), words.end(), "--"), words.end());
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError&) {
    // What is wrong is said by whoever reads all words.
  }
  return folders;
}

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const command_row& row : rows) names.emplace_back(row.name);
  return names;
}

std::string commands_help() {
  std::string text;
  for (const command_row& row : rows) text += fmt::format("  {:<22}{}\n", spelling(row), row.help);
  return text;
}

std::optional<std::string> help_on_command(std::string_view name) {
  for (const command_row& row : rows) {
    if (name == row.name) return fmt::format("warpz {}: {}\n{}", spelling(row), row.help, row.more);
  }
  return {};
}

std::vector<std::string> with_bare_words(int count, const char* const* arguments) {
  std::vector<std::string> words(arguments, arguments + count);
  const std::vector<option_row> table = option_table();
  std::string file;
  bool has_option = false;
  for (std::size_t i = 1; i < words.size() && !words[i].empty() && words[i] != end_of_options; ++i) {
    if (words[i][0] != '-') {
      words[i] = as_option(words[i], has_option, file);
      continue;
    }
    has_option = true;
    const std::size_t sign = words[i].find('=');
    const option_row* const row = find_option(table, std::string_view(words[i]).substr(0, sign));
    // What a program's files are, and what is wrong with an option, is said by whoever reads all words.
    if (row == nullptr || row->starts == action::program || row->kind == value_kind::rest) break;
    const std::size_t more = sign == std::string::npos ? words_of_value(*row, std::span(words).subspan(i + 1)) : 0;
    if (row->name == "kernel")
      file = more != 0 ? words[i + 1] : words[i].substr(std::min(sign, words[i].size() - 1) + 1);
    i += more;
  }
  return words;
}

}  // namespace warpz

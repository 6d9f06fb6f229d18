// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/learn_commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <limits>
#include <optional>
#include <string_view>

#include "app/puzzle_named.hpp"
#include "cli/color.hpp"
#include "error.hpp"
#include "learn/hints.hpp"
#include "learn/judge_command.hpp"
#include "learn/markdown.hpp"
#include "learn/watch.hpp"
#include "learn/working_copy.hpp"
#include "puzzle/project_files.hpp"
#include "system/terminal_columns.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"
#include "text/wrapped.hpp"

namespace warpz {
namespace {

/// Lines of the first page that `learn` prints, with those that say what to type.
constexpr std::size_t task_lines_shown = 11;

/// As a file of the course names it, which may be read in another folder.
std::string program_from_anywhere(const std::string& program) {
  if (program.find('/') == program.npos) return program;
  std::error_code failed;
  const std::filesystem::path path = std::filesystem::absolute(program, failed);
  return failed ? program : path.lexically_normal().string();
}

class learn_session {
 public:
  learn_session(const word_command& command, std::string program, output_stream& out)
      : command_(command), program_(std::move(program)), out_(out) {}

  int run() {
    if (command_.name == "learn") return learn();
    if (command_.name == "watch") return watch_files();
    if (command_.name == "hint") return command_.solution ? show_solution() : give_hint();
    if (command_.name == "status") return print(status_text(all_, progress_in(copy(operand()))));
    return reset();
  }

 private:
  std::optional<std::string> operand() const {
    return command_.operands.empty() ? std::nullopt : std::optional(command_.operands.front());
  }

  int print(std::string_view text) {
    out_.write(fitted(text, terminal_columns(STDOUT_FILENO)));
    return 0;
  }

  /// To be copied.
  int print_command(std::string_view label, const std::string& command) {
    const std::size_t width = width_of_terminal(STDOUT_FILENO).value_or(std::numeric_limits<std::size_t>::max());
    out_.write(broken_command(label, command, width) + "\n");
    return 0;
  }

  static std::size_t columns_of_page() { return std::min(page_columns, terminal_columns(STDOUT_FILENO)); }

  working_copy copy(const std::optional<std::string>& folder = {}) const {
    if (auto found = working_copy::find(folder)) return *found;
    throw error(
        exit_code::bad_input,
        folder ? fmt::format("{} is no folder of the course", printable(*folder))
               : std::string("there is no folder of the course here"),
        fmt::format("{} learn{}{} begins one.", program_, folder ? " " + shell_word(*folder) : "", puzzles_option()));
  }

  static progress progress_in(const working_copy& copy) {
    return progress(fmt::format("{}/{}", copy.folder(), progress::file_name));
  }

  /// The puzzle that is named, else the one that was tried last and is not done, else the next one.
  const lesson& chosen(const progress& done) const {
    return operand() ? all_.lesson_of(puzzle_named(*operand())) : current_lesson(all_, done);
  }

  /// Throws where this seems to be a puzzle's mistyped name, and not the name of a folder that is to be written.
  void refuse_mistyped_puzzle(const std::string& name) const {
    std::error_code failed;
    if (name.find('/') != name.npos || std::filesystem::exists(name, failed)) return;
    constexpr std::size_t most_letters_wrong = 2;
    for (const std::string_view near : nearest(name, puzzle_flags())) {
      if (edit_distance(name, near) > most_letters_wrong) continue;
      throw error(exit_code::bad_input, fmt::format("no puzzle is called '{}'", printable(name)),
                  fmt::format("Did you mean {}? A new folder of this name is ./{}", near, printable(name)));
    }
  }

  int learn() {
    const bool names_folder = operand() && find_puzzle(*operand()) == nullptr;
    if (names_folder) refuse_mistyped_puzzle(*operand());
    bool is_new = false;
    std::optional<working_copy> found;
    if (!names_folder) found = working_copy::find({});
    if (!found || lacks_own_puzzles(*found)) {
      const std::string folder = found          ? found->folder()
                                 : names_folder ? *operand()
                                                : std::string(working_copy::default_folder);
      is_new = access(folder.c_str(), F_OK) != 0;
      found = working_copy::make(all_, folder, program_from_anywhere(program_));
    }
    const progress done = progress_in(*found);
    const lesson& now = names_folder ? current_lesson(all_, done) : chosen(done);
    const std::size_t finished = count_done(all_, done);
    if (finished != 0 || done.last() != nullptr) {
      print(fmt::format("{} of {} done. {}\n\n", finished, all_.lessons().size(),
                        finished == all_.lessons().size() ? "You have done all." : "Here is the next:"));
    }
    for (const std::string& line : task_lines(all_, now, task_lines_shown, columns_of_page())) print(line + "\n");
    print(fmt::format("\nThe task: {}\nYour file{}: {}\n", printable(found->task_file_of(*now.task)),
                      is_new ? ", in a new folder" : "", printable(found->file_of(*now.task))));
    return print_command("Now type: ", watch_command(*found));
  }

  std::string watch_command(const working_copy& copy) const {
    const std::string folder = copy.folder();
    const bool is_usual = folder == "." || folder == working_copy::default_folder;
    return fmt::format("{} watch{}{}", program_, is_usual ? "" : " " + shell_word(folder), puzzles_option());
  }

  int watch_files() {
    const working_copy watched = copy(operand());
    const int code = watch(all_, watched, program_, use_color(color_choice::automatic, 1));
    // A terminal that was closed, or a session that was stopped, reads nothing.
    if (code != 0 && code != 128 + SIGINT) return code;
    print(fmt::format("{} of {} done.\n", count_done(all_, progress_in(watched)), all_.lessons().size()));
    print_command("To go on: ", watch_command(watched));
    return code;
  }

  /// The course was written before they were there.
  bool lacks_own_puzzles(const working_copy& copy) const {
    return std::any_of(all_.lessons().begin(), all_.lessons().end(), [&](const lesson& each) {
      return each.task->is_own() && access(copy.file_of(*each.task).c_str(), F_OK) != 0;
    });
  }

  int give_hint() {
    progress done = progress_in(copy());
    const lesson& one = chosen(done);
    const std::optional<std::size_t> number = next_hint(one, done.of(*one.task));
    if (!number) {
      print(fmt::format("{} has {} hints, and you have seen all. This shows the solution:\n", one.task->flag,
                        one.hints.size()));
      return print_command("  ", fmt::format("{} hint {} --solution{}", program_, one.task->flag, puzzles_option()));
    }
    done.add_hint(*one.task, *number);
    return print(hint_text(one, *number, done.of(*one.task).hints.size(), columns_of_page()));
  }

  /// Asks on the terminal. Throws where there is nobody to ask.
  bool is_sure(const std::string& question) {
    if (command_.yes) return true;
    if (isatty(STDIN_FILENO) == 0)
      throw error(exit_code::bad_input, fmt::format("{} asks first, and standard input is no terminal", command_.name),
                  "--yes answers.");
    out_.write(question + " [y/N] ");
    out_.flush();
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
  }

  int show_solution() {
    const std::optional<working_copy> found = working_copy::find({});
    const lesson& one = found ? chosen(progress_in(*found)) : all_.lesson_of(puzzle_named(operand().value_or("")));
    if (!is_sure(fmt::format("Show the solution of {}?", one.task->flag))) return 0;
    out_.write(text_of(*one.task, "solution.hip"));
    return 0;
  }

  int reset() {
    const puzzle& task = puzzle_named(command_.operands.front());
    const working_copy found = copy();
    progress done = progress_in(found);
    if (!found.is_begun(task) && done.of(task).attempts == 0 && access(found.file_of(task).c_str(), F_OK) == 0)
      return print(fmt::format("{} is as it was given.\n", printable(found.file_of(task))));
    if (!is_sure(fmt::format("Begin {} again?", task.flag))) return 0;
    const std::string backup = found.reset(task);
    done.add_reset(task);
    return print(fmt::format("{} is the problem again{}\n", printable(found.file_of(task)),
                             backup.empty() ? "." : fmt::format("; yours is {}.", printable(backup))));
  }

  const word_command& command_;
  const std::string program_;
  const course all_;
  output_stream& out_;
};

}  // namespace

int run_learn_command(const word_command& command, const std::string& program, output_stream& out) {
  return learn_session(command, program, out).run();
}

}  // namespace warpz

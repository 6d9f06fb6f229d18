// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the command line, does what it says, and turns errors into messages and exit codes.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/compiler_driver.hpp"
#include "app/device_choice.hpp"
#include "app/divided_work.hpp"
#include "app/grade_command.hpp"
#include "app/help_on.hpp"
#include "app/learn_commands.hpp"
#include "app/lists.hpp"
#include "app/mcp_server.hpp"
#include "app/own_puzzles.hpp"
#include "app/reports.hpp"
#include "app/run_benchmarks.hpp"
#include "app/run_puzzles.hpp"
#include "app/run_user_program.hpp"
#include "cli/commands.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "compile/driver_options.hpp"
#include "error.hpp"
#include "learn/puzzle_folder.hpp"
#include "pieces/rank.hpp"
#include "process/supervisor.hpp"
#include "report/details.hpp"
#include "report/report.hpp"
#include "system/terminal_columns.hpp"
#include "text/wrapped.hpp"

namespace {

using namespace warpz;

options parse_or_explain(int count, char** arguments, output_stream& err) {
  options command = parse(count, arguments);
  if (!command.nothing_asked) return command;
  err.write(help_text());
  throw error(exit_code::bad_input, "no puzzle is named",
              "Name one, such as neighbor, or --all for all; warpz learn begins the course.");
}

/// With --format json, an error in the command line is reported as JSON, too.
options parse_and_report(int count, char** arguments, output_stream& out, output_stream& err) {
  try {
    return parse_or_explain(count, arguments, err);
  } catch (const error& refused) {
    if (asks_for_json(count, arguments)) report_run(*make_json_report(out), {}, [&]() -> int { throw refused; });
    throw;
  }
}

/// Whether the command could leave something behind: processes of a user's code, or half a file. Built-in kernels end
/// with this process, and start sooner without supervisors. A debugger follows only the process that it has started.
bool needs_supervisors(const options& command) {
  const auto is_own = [](const puzzle* each) { return each->is_own(); };
  const bool runs_users_code = command.action == action::program || command.kernel.file || command.kernel.module ||
                               std::any_of(command.puzzles.begin(), command.puzzles.end(), is_own);
  return !command.kernel.debugger && (runs_users_code || command.output.junit || command.output.sarif ||
                                      command.output.csv || command.findings.baseline);
}

/// On the first puzzle that is named, if one is.
std::string help_on_first_puzzle(std::span<const char* const> words) {
  for (const std::string_view word : words) {
    if (!word.starts_with("--")) continue;
    if (const puzzle* const task = find_puzzle(word.substr(2))) return help_on(*task);
  }
  return help_text();
}

/// Says where several workers can't help.
void tell_if_undivided(const options& command, const asking_runner& runner, output_stream& err) {
  const bool runs = command.action == action::run || command.action == action::program;
  if (!runs || runner.is_helper() || divides_schedules(command) || divides_puzzles(command) || command.output.quiet)
    return;
  err.write("warpz: this can't be divided: one worker does it all\n");
}

/// `runner`: who divides the work; null: nobody. Returns the exit code.
void print_devices(const options& command, output_stream& out) {
  const std::vector<listed_device> listed = list_devices(device_request_of(command, command.device.warp_size));
  if (command.output.format == output_format::json) return out.write(devices_json(listed));
  const auto width = width_of_terminal(STDOUT_FILENO);
  out.write(width ? fitted(devices_text(listed), *width) : devices_text(listed));
}

int run(int count, char** arguments, output_stream& out, output_stream& err, asking_runner* runner) {
  const std::string program = arguments[0];
  char** const line = arguments;
  if (is_driver_name(program)) return run_compiler_driver({arguments, static_cast<std::size_t>(count)}, out, err);
  const bool is_helper = runner != nullptr && runner->is_helper();
  load_own_puzzles(count, arguments);
  if (const auto command = parse_command(count, arguments)) {
    if (is_helper && command->name != "grade") return 0;
    if (command->name == "new") {
      refuse_taken_name(command->operands.front());
      write_puzzle_folder(command->operands.front());
      out.write(new_puzzle_text(program, command->operands.front()));
      return 0;
    }
    if (command->name == "help") {
      out.write(help_on(command->operands.empty() ? "" : command->operands.front()));
      return 0;
    }
    if (command->name == "mcp") return serve_mcp(program, out);
    if (command->name == "grade") {
      if (runner != nullptr) show_progress_of(*runner, err, false);
      return run_grade_command(*command, program, out, runner);
    }
    return run_learn_command(*command, program, out);
  }
  std::vector<std::string> words = with_bare_words(count, arguments);
  std::vector<char*> pointers;
  for (std::string& each : words) pointers.push_back(each.data());
  arguments = pointers.data();
  options command = parse_and_report(count, arguments, out, err);
  if (runner != nullptr) {
    tell_if_undivided(command, *runner, err);
    if (is_helper && !divides_schedules(command) && !divides_puzzles(command)) return 0;
    show_progress_of(*runner, err, command.output.quiet);
    if (is_helper) hide_output(command);
  }
  if (const std::size_t workers = workers_for_schedules(command); runner == nullptr && workers > 1)
    divide_here(line, workers);
  if (needs_supervisors(command)) work_supervised();
  const bool is_json = command.output.format == output_format::json;
  switch (command.action) {
    case action::help: {
      const std::string text = help_on_first_puzzle({arguments, static_cast<std::size_t>(count)});
      out.write(is_json ? text_json(text) : text);
      return 0;
    }
    case action::version:
      out.write(is_json ? text_json(version_text()) : version_text());
      return 0;
    case action::list:
      out.write(is_json ? list_json() : isatty(STDOUT_FILENO) != 0 ? list_text() : list_lines());
      return 0;
    case action::completion:
      out.write(is_json ? text_json(completion_script(command.completion_shell))
                        : completion_script(command.completion_shell));
      return 0;
    case action::toolchain_file:
      out.write(is_json ? text_json(toolchain_file_text()) : toolchain_file_text());
      return 0;
    case action::devices:
      print_devices(command, out);
      return 0;
    case action::program:
      return run_user_program(command, *make_report(command, arguments[0], out, err), out, err, runner);
    case action::benchmark:
    case action::latency:
      return run_benchmarks(command, out, err);
    case action::run:
      break;
  }
  return run_puzzles(command, *make_report(command, arguments[0], out, err), out, err, runner);
}

}  // namespace

int main(int count, char** arguments) {
  occupy_closed_standard_streams();
  std::vector<std::string> words = words_of_started_program({arguments, static_cast<std::size_t>(count)});
  std::vector<char*> pointers;
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  arguments = pointers.data();
  count = static_cast<int>(words.size());
  // If the reader goes away, write() fails, which is reported like any other failure.
  std::signal(SIGPIPE, SIG_IGN);
  // Likewise if a file may not get larger.
  std::signal(SIGXFSZ, SIG_IGN);
  output_stream out(1, "standard output");
  output_stream err(2, "standard error", output_stream::on_failure::ignore);
  int code = static_cast<int>(exit_code::bad_input);
  try {
    // A compiler has no pieces.
    const std::unique_ptr<asking_runner> runner = is_driver_name(arguments[0]) ? nullptr : join_ranks(arguments);
    code = run(count, arguments, out, err, runner.get());
    // Whatever a helper has found, its work is done.
    if (runner && runner->is_helper()) code = 0;
    out.finish();
  } catch (const help_is_over&) {
    code = 0;
  } catch (const reader_left& stopped) {
    code = static_cast<int>(stopped.code());
  } catch (const error& stopped) {
    code = static_cast<int>(stopped.code());
    err.write(error_text(stopped, terminal_columns(STDERR_FILENO)));
  } catch (const std::bad_alloc&) {
    err.write("warpz: out of memory\n");
  }
  err.flush();
  return code;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the command line, does what it says, and turns errors into messages and exit codes.
#include <fmt/format.h>

#include <csignal>
#include <new>

#include "app/reports.hpp"
#include "app/run_puzzles.hpp"
#include "app/run_user_program.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "error.hpp"

namespace {

using namespace warpz;

/// Returns the exit code.
int run(int count, char** arguments, output_stream& out, output_stream& err) {
  const options command = parse(count, arguments);
  switch (command.action) {
    case action::help:
      if (!command.nothing_asked) {
        out.write(help_text());
        return 0;
      }
      err.write(help_text());
      throw error(exit_code::bad_input, "no puzzle is named", "Name one, like --neighbor, or --all for all of them.");
    case action::version:
      out.write(version_text());
      return 0;
    case action::list:
      out.write(list_text());
      return 0;
    case action::completion:
      out.write(completion_script(command.completion_shell));
      return 0;
    case action::devices:
      out.write(devices_text(device_request_of(command, command.warp_size)));
      return 0;
    case action::program:
      return run_user_program(command, *make_report(command, arguments[0], out, err), out, err);
    case action::run:
      break;
  }
  return run_puzzles(command, *make_report(command, arguments[0], out, err), err);
}

}  // namespace

int main(int count, char** arguments) {
  occupy_closed_standard_streams();
  // A reader that goes away becomes a failed write(), which is reported like any other.
  std::signal(SIGPIPE, SIG_IGN);
  output_stream out(1, "standard output");
  output_stream err(2, "standard error", output_stream::on_failure::ignore);
  int code = static_cast<int>(exit_code::bad_input);
  try {
    code = run(count, arguments, out, err);
    out.finish();
  } catch (const error& stopped) {
    code = static_cast<int>(stopped.code());
    err.write(fmt::format("warpz: {}\n", stopped.what()));
    if (!stopped.advice().empty()) err.write(stopped.advice() + "\n");
  } catch (const std::bad_alloc&) {
    err.write("warpz: out of memory\n");
  }
  err.flush();
  return code;
}

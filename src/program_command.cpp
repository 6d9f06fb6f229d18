// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "cli/color.hpp"
#include "compile/program_file.hpp"
#include "error.hpp"
#include "from_options.hpp"
#include "report/program_report.hpp"
#include "run/program_runner.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

program_request request_of(const options& asked, output_stream& err) {
  program_request how;
  how.files = asked.program;
  how.flags = asked.program_flags;
  how.compiler = asked.compiler;
  how.watched = check_of(asked) == WARPZ_CHECK_ALL;
  how.cache_folder = cache_folder_of(asked);
  how.manner = manner_of(asked, err);
  return how;
}

program_run run_of(const options& asked) {
  program_run what;
  what.arguments = {asked.program.front()};
  what.arguments.insert(what.arguments.end(), asked.program_arguments.begin(), asked.program_arguments.end());
  what.how = {asked.warp_size.value_or(32), asked.timeout_seconds, static_cast<std::uint32_t>(check_of(asked))};
  // Standard output is for JSON alone.
  what.prints_to_error = !asked.both_warp_sizes && asked.format == output_format::json;
  return what;
}

}  // namespace

int run_program_command(const options& asked, output_stream& out, output_stream& err) {
  std::optional<own_module::in_memory> library;
  program_run what = run_of(asked);
  if (asked.program.size() == 1 && is_compiled_program(asked.program.front())) {
    if (asked.output || !asked.program_flags.empty()) {
      throw error(exit_code::bad_input, fmt::format("--run: {} is compiled already", printable(asked.program.front())));
    }
    what.library = std::filesystem::absolute(asked.program.front());
  } else {
    const compiled_program made = compile_program(request_of(asked, err));
    if (asked.output) {
      write_program(made, *asked.output);
      return static_cast<int>(exit_code::passed);
    }
    what.library = library.emplace(made.library).file();
  }
  err.flush();
  const auto tell = [&](const program_outcome& ended) {
    err.write(program_text(ended, use_color(asked.color, 2)));
    err.flush();
  };
  std::vector<program_outcome> ended;
  if (asked.both_warp_sizes) {
    both_ways how;
    how.begin = [&](unsigned lanes) {
      out.flush();
      err.write(fmt::format("warpz: with {} lanes\n", lanes));
      err.flush();
    };
    how.print = [&](std::string_view text) {
      output_stream& to = asked.format == output_format::json ? err : out;
      to.write(text);
      to.flush();
    };
    how.end = tell;
    ended = run_with_both_warp_sizes(what, asked.program, how);
  } else {
    ended = {run_program(what, asked.program)};
    tell(ended.front());
  }
  const auto passed = [](const program_outcome& each) { return each.result == verdict::passed; };
  const bool all_passed = std::all_of(ended.begin(), ended.end(), passed);
  const int code = all_passed ? ended.front().exit_code : static_cast<int>(exit_code::broken_rule);
  if (asked.format == output_format::json) out.write(program_json(ended, code));
  return code;
}

}  // namespace warpz

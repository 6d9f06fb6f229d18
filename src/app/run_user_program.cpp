// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/run_user_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "app/settings_from_options.hpp"
#include "cli/color.hpp"
#include "compile/user_program_file.hpp"
#include "error.hpp"
#include "report/program_report.hpp"
#include "report/progress_line.hpp"
#include "run/user_program_runner.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

user_program_request request_of(const options& asked, output_stream& err) {
  user_program_request how;
  how.files = asked.program;
  how.flags = asked.program_flags;
  how.compiler = asked.compiler;
  how.instrumented = check_of(asked) == WARPZ_CHECK_ALL;
  how.cache_folder = cache_folder_of(asked);
  how.settings = compiler_settings_of(asked, err);
  return how;
}

program_plan plan_of(const options& asked, const finding_choice& findings) {
  program_plan made;
  program_run& what = made.what;
  what.arguments = {asked.program.front()};
  what.arguments.insert(what.arguments.end(), asked.program_arguments.begin(), asked.program_arguments.end());
  what.how.timeout_seconds = asked.timeout_seconds;
  what.how.check = static_cast<std::uint32_t>(check_of(asked));
  what.how.rules = static_cast<std::uint32_t>(rules_of(asked));
  // Standard output is for JSON alone.
  what.prints_to_error = asked.format == output_format::json;
  what.limits = asked.limits;
  made.files = asked.program;
  made.findings = findings;
  made.schedules = schedules_of(asked);
  made.is_compared = asked.both_warp_sizes;
  return made;
}

/// Runs it with the warp sizes that were asked for, and tells what came of it.
std::vector<program_outcome> run_and_tell(const options& asked, program_plan plan, output_stream& out,
                                          output_stream& err) {
  progress_line progress(err, asked.quiet);
  plan.told_rerun = [&] { progress.tell_rerun(); };
  program_runner runner(std::move(plan));
  const auto print = [&](std::string_view text) {
    output_stream& to = asked.format == output_format::json ? err : out;
    to.write(text);
    to.flush();
  };
  std::vector<unsigned> warp_sizes{asked.warp_size.value_or(32)};
  if (asked.both_warp_sizes) warp_sizes = {32, 64};
  std::vector<program_outcome> ended;
  for (const unsigned lanes : warp_sizes) {
    if (asked.both_warp_sizes) {
      out.flush();
      err.write(fmt::format("warpz: with {} lanes\n", lanes));
    }
    err.flush();
    ended.push_back(runner.run(lanes, print));
    if (ended.size() == 2) runner.compare_warp_sizes(ended[0], ended[1]);
    progress.erase();
    err.write(program_text(ended.back(), use_color(asked.color, 2)));
    err.flush();
  }
  return ended;
}

/// The exit code.
int run_checked(const options& asked, sarif_log* sarif, output_stream& out, output_stream& err) {
  accepted_findings accepted(asked);
  std::optional<user_module::in_memory> library;
  program_plan plan = plan_of(asked, accepted.choice());
  if (asked.program.size() == 1 && is_compiled_user_program(asked.program.front())) {
    if (asked.output || !asked.program_flags.empty()) {
      throw error(exit_code::bad_input, fmt::format("--run: {} is compiled already", printable(asked.program.front())));
    }
    plan.what.library = std::filesystem::absolute(asked.program.front());
  } else {
    const compiled_user_program made = compile_user_program(request_of(asked, err));
    if (asked.output) {
      write_user_program(made, *asked.output);
      return static_cast<int>(exit_code::passed);
    }
    plan.what.library = library.emplace(made.library).file();
  }
  const std::vector<program_outcome> ended = run_and_tell(asked, std::move(plan), out, err);
  accepted.tell_unused(err);
  const auto passed = [](const program_outcome& each) { return each.result == verdict::passed; };
  const bool all_passed = std::all_of(ended.begin(), ended.end(), passed);
  const int code = all_passed ? ended.front().exit_code : static_cast<int>(exit_code::broken_rule);
  if (asked.format == output_format::json) out.write(program_json(ended, code));
  if (sarif != nullptr) {
    for (const program_outcome& each : ended) add_to_sarif(*sarif, each);
    sarif->write(code, nullptr);
  }
  return code;
}

}  // namespace

int run_program_command(const options& asked, output_stream& out, output_stream& err) {
  if (!asked.sarif) return run_checked(asked, nullptr, out, err);
  sarif_log sarif(*asked.sarif);
  sarif.check();
  try {
    return run_checked(asked, &sarif, out, err);
  } catch (const error& reason) {
    sarif.write(static_cast<int>(reason.code()), &reason);
    throw;
  }
}

}  // namespace warpz

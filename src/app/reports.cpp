// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/reports.hpp"

#include <unistd.h>

#include "app/suggestion_options.hpp"
#include "app/trace_output.hpp"
#include "cli/color.hpp"
#include "error.hpp"
#include "learn/progress_report.hpp"
#include "system/terminal_columns.hpp"

namespace warpz {
namespace {

report_style style_of(const options& command, const char* program) {
  report_style style;
  style.full = command.output.full;
  style.quiet = command.output.quiet;
  style.counts_all = command.all;
  style.show_warp_size = command.device.both_warp_sizes;
  style.show_backend = command.device.compared_with_cpu;
  style.emoji = command.output.emoji;
  style.color_out = use_color(command.output.color, 1);
  style.color_err = use_color(command.output.color, 2);
  style.has_costs = command.output.format == output_format::text;
  style.columns = terminal_columns(STDERR_FILENO);
  if (const auto width = width_of_terminal(STDERR_FILENO)) style.command_columns = *width;
  if (const auto width = width_of_terminal(STDOUT_FILENO)) style.out_columns = *width;
  style.suggestions = suggestion_style_of(command, program);
  return style;
}

}  // namespace

std::unique_ptr<report> make_report(const options& command, const char* program, output_stream& out,
                                    output_stream& err) {
  std::vector<std::unique_ptr<report>> reports;
  const report_style style = style_of(command, program);
  const bool is_json = command.output.format == output_format::json;
  // The findings of a user's program are printed to standard error in any format.
  output_stream& results = trace_takes_standard_output(command) ? err : out;
  if (!is_json || command.action == action::program) reports.push_back(make_text_report(style, results, err));
  if (is_json) reports.push_back(make_json_report(out, command.output.full));
  if (command.output.junit) reports.push_back(make_junit_report(*command.output.junit));
  if (command.output.sarif) reports.push_back(make_sarif_report(*command.output.sarif));
  // Whoever draws what a kernel does has tried it before.
  if (command.kernel.file && !is_json && !command.output.quiet && !command.trace.format) {
    if (auto progress = make_progress_report(*command.kernel.file, program, style, err))
      reports.push_back(std::move(progress));
  }
  return make_report_group(std::move(reports));
}

int report_run(report& reporter, const std::vector<std::string>& planned, const std::function<int()>& work) {
  int code = 0;
  try {
    reporter.begin(planned);
    code = work();
  } catch (const error& reason) {
    reporter.end(static_cast<int>(reason.code()), &reason);
    throw;
  }
  reporter.end(code, nullptr);
  return code;
}

}  // namespace warpz

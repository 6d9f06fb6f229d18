// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/run_benchmarks.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <string>

#include "app/device_choice.hpp"
#include "app/reports.hpp"
#include "app/run_puzzles.hpp"
#include "error.hpp"
#include "exit_codes.hpp"
#include "report/benchmark_text.hpp"
#include "report/latency_text.hpp"
#include "report/output_file.hpp"
#include "report/roofline_svg.hpp"
#include "run/backend.hpp"
#include "run/benchmark.hpp"
#include "run/latency.hpp"
#include "system/terminal_columns.hpp"

namespace warpz {
namespace {

/// The file that an option names, if it is given. It has been checked that the file can be written.
std::optional<output_file> file_of(const char* option, const std::optional<std::string>& name) {
  if (!name) return {};
  output_file file(option, *name);
  file.check();
  return file;
}

int measure_operations(const options& command, output_stream& out) {
  std::optional<output_file> csv = file_of("--csv", command.output.csv);
  chosen_device device = choose_device(device_request_of(command, command.device.warp_size));
  const latency_table all = measure_latency(device, command.machine.settings, command.machine.limits);
  out.write(command.output.format == output_format::json ? latency_json(all) : latency_text(all));
  if (csv) csv->replace(latency_csv(all));
  return 0;
}

int measure_kernels(const options& command, output_stream& out) {
  std::optional<output_file> csv = file_of("--csv", command.output.csv),
                             picture = file_of("--trace-file", command.trace.file);
  chosen_device device = choose_device(device_request_of(command, command.device.warp_size));
  benchmark all;
  all.backend = device.kernels->vendor();
  all.device = device.device.name;
  all.warp_size = device.device.warp_size;
  const bool is_json = command.output.format == output_format::json;
  const std::size_t columns = width_of_terminal(STDOUT_FILENO).value_or(std::numeric_limits<std::size_t>::max());
  if (!is_json) out.write(benchmark_head(all, columns));
  try {
    const run_request request = run_request_of(command, {});
    measure_all(all, device, command.puzzles, request, [&](const measurement& each) {
      if (is_json) return;
      out.write(benchmark_line(each, all, columns));
      out.flush();
    });
    if (picture) measure_arithmetic(all, device, request);
  } catch (const std::bad_alloc&) {
    throw error(exit_code::bad_input, "out of memory", "--size takes fewer elements.");
  }
  exit_code worst = exit_code_of(all.copy.result);
  for (const measurement& each : all.measured) worst = first_of(worst, exit_code_of(each.result));
  const int code = static_cast<int>(worst);
  if (is_json) out.write(benchmark_json(all, code));
  if (csv) csv->replace(benchmark_csv(all));
  if (picture) picture->replace(roofline_svg(all));
  return code;
}

}  // namespace

int run_benchmarks(const options& command, output_stream& out, output_stream& err) {
  try {
    return command.action == action::latency ? measure_operations(command, out) : measure_kernels(command, out);
  } catch (const error& stopped) {
    // In JSON, the error is reported as by a run of puzzles.
    if (command.output.format == output_format::json) {
      return report_run(*make_report(command, "warpz", out, err), {}, [&]() -> int { throw error(stopped); });
    }
    throw;
  }
}

}  // namespace warpz

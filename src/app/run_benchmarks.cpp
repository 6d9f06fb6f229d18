// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/run_benchmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <optional>
#include <string>

#include "app/reports.hpp"
#include "app/run_puzzles.hpp"
#include "error.hpp"
#include "exit_codes.hpp"
#include "report/benchmark_text.hpp"
#include "report/output_file.hpp"
#include "run/backend.hpp"
#include "run/benchmark.hpp"
#include "run/runner.hpp"

namespace warpz {
namespace {

int measure(const options& command, output_stream& out) {
  std::optional<output_file> csv;
  if (command.csv) {
    csv.emplace("--csv", *command.csv);
    csv->check();
  }
  chosen_device device = choose_device(device_request_of(command, command.warp_size));
  runner on(device);
  const bool on_cpu_machine = device.kernels->vendor() == name_of(backend_choice::cpu);
  benchmark all;
  try {
    all = measure_all(on, command.puzzles, run_request_of(command, {}), on_cpu_machine);
  } catch (const std::bad_alloc&) {
    throw error(exit_code::bad_input, "out of memory", "--size takes fewer elements.");
  }
  all.backend = device.kernels->vendor();
  all.device = device.device.name;
  all.warp_size = device.device.warp_size;
  exit_code worst = exit_code_of(all.copy.result);
  for (const measurement& each : all.measured) worst = first_of(worst, exit_code_of(each.result));
  const int code = static_cast<int>(worst);
  out.write(command.format == output_format::json ? benchmark_json(all, code) : benchmark_text(all));
  if (csv) csv->replace(benchmark_csv(all));
  return code;
}

}  // namespace

int run_benchmarks(const options& command, output_stream& out, output_stream& err) {
  try {
    return measure(command, out);
  } catch (const error& stopped) {
    // As where a run of puzzles is stopped.
    if (command.format == output_format::json) {
      return report_run(*make_report(command, "warpz", out, err), {}, [&]() -> int { throw error(stopped); });
    }
    throw;
  }
}

}  // namespace warpz

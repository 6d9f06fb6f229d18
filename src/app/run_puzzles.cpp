// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/run_puzzles.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>
#include <vector>

#include "app/reports.hpp"
#include "app/settings_from_options.hpp"
#include "compile/kernel_file.hpp"
#include "error.hpp"
#include "exit_codes.hpp"
#include "input/input.hpp"
#include "report/progress_line.hpp"
#include "run/experiments/warp_sizes.hpp"
#include "run/runner.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// Without --backend, an option for the CPU machine alone chooses it.
backend_choice backend_of(const options& command) {
  const bool is_open = command.backend == backend_choice::automatic;
  return is_open && command.needs_cpu_machine ? backend_choice::cpu : command.backend;
}

std::vector<std::optional<unsigned>> warp_sizes_of(const options& command) {
  if (command.both_warp_sizes) return {32, 64};
  return {command.warp_size};
}

/// Each puzzle by its flag, once for each warp size.
std::vector<std::string> planned_runs(const options& command) {
  std::vector<std::string> planned;
  for (const puzzle* const each : command.puzzles) {
    planned.insert(planned.end(), warp_sizes_of(command).size(), std::string(each->flag));
  }
  return planned;
}

/// The backend that --backend auto chose, and why none before it.
std::string chosen_text(const chosen_device& device) {
  std::string text =
      fmt::format("running on {}: {}\n", printable(device.kernels->vendor()), printable(bounded(device.device.name)));
  for (const std::string& reason : device.passed_over) text += fmt::format("  not on {}\n", reason);
  return text;
}

/// One device for each warp size.
std::vector<chosen_device> choose_devices(const options& command, output_stream& err) {
  std::vector<chosen_device> devices;
  for (const auto& warp_size : warp_sizes_of(command)) {
    devices.push_back(choose_device(device_request_of(command, warp_size)));
  }
  if (backend_of(command) == backend_choice::automatic && !command.module && !command.quiet) {
    err.write(chosen_text(devices.front()));
  }
  return devices;
}

/// Compiles the user's kernel for the chosen devices, and brings them up with it.
user_module compile_for(std::vector<chosen_device>& devices, const options& command, output_stream& err) {
  const chosen_device& device = devices.front();
  compile_request request;
  request.file = *command.kernel;
  request.puzzles = command.puzzles;
  request.entry = command.entry;
  request.compiler = command.compiler;
  request.vendor = device.kernels->vendor();
  request.instrumented = command.settings.check == WARPZ_CHECK_ALL && request.vendor == name_of(backend_choice::cpu);
  request.architecture = bounded(device.device.architecture);
  request.cache_folder = cache_folder_of(command, err);
  request.settings = compiler_settings_of(command, err);
  request.debuggable = command.debugger;
  user_module compiled = compile_kernel(request);
  for (chosen_device& each : devices) {
    each = choose_device({backend_of(command), compiled.file(), each.device.warp_size, each.number, *command.kernel,
                          false, command.debugger});
  }
  return compiled;
}

void choose_input(run_request& request, const options& command) {
  if (command.input) {
    request.given = std::make_shared<const std::vector<float>>(read_input(*command.input, command.size));
    request.input = {input_source::kind::file, *command.input};
  } else if (command.seed) {
    request.seed = *command.seed;
    request.input = {input_source::kind::random, std::to_string(*command.seed)};
  }
}

run_request run_request_of(const options& command, const finding_choice& findings) {
  run_request request;
  request.size = command.size;
  request.pivot = command.pivot;
  request.shape = command.shape;
  request.which = command.variant;
  request.settings = command.settings;
  request.schedules = schedules_of(command);
  request.findings = findings;
  request.limits = command.limits;
  choose_input(request, command);
  return request;
}

/// Runs all puzzles with each runner, and reports their outcomes.
exit_code run_all(std::vector<runner>& runners, const options& command, run_request request, const user_module* own,
                  progress_line& progress, report& to) {
  exit_code worst = exit_code::passed;
  for (std::size_t i = 0; i < command.puzzles.size(); ++i) {
    if (own != nullptr) {
      request.kernel = own->kernels()[i];
      request.launch_bound = own->launch_bounds()[i];
    }
    std::vector<puzzle_outcome> results;
    for (runner& each : runners) {
      // The last run may let go of the input once it has copied it.
      const bool is_last = i + 1 == command.puzzles.size() && &each == &runners.back();
      // NOLINTNEXTLINE(bugprone-use-after-move): moved from in the last round only
      results.push_back(each.run(*command.puzzles[i], is_last ? std::move(request) : request));
    }
    progress.erase();
    if (results.size() > 1) {
      compare_warp_sizes(results[0], results[1], command.kernel.value_or(""), request.findings.accepted);
    }
    for (const puzzle_outcome& result : results) {
      worst = first_of(worst, exit_code_of(result.result));
      to.add(result);
    }
  }
  return worst;
}

exit_code run_chosen(const options& command, report& to, output_stream& err) {
  accepted_findings accepted(command);
  progress_line progress(err, command.quiet);
  run_request request = run_request_of(command, accepted.choice());
  request.on_rerun = [&] { progress.count_rerun(); };
  std::vector<chosen_device> devices = choose_devices(command, err);
  std::optional<user_module> own;
  if (command.kernel) own.emplace(compile_for(devices, command, err));
  std::vector<runner> runners(devices.begin(), devices.end());
  const exit_code worst = run_all(runners, command, std::move(request), own ? &*own : nullptr, progress, to);
  accepted.finish(err);
  return worst;
}

}  // namespace

device_request device_request_of(const options& command, std::optional<unsigned> warp_size) {
  const bool instrumented = !command.kernel && !command.module && command.settings.check == WARPZ_CHECK_ALL;
  // With a kernel, this is only the device for which it is compiled.
  const bool debugged = command.debugger && !command.kernel;
  return {backend_of(command), command.module, warp_size, command.device, {}, instrumented, debugged};
}

int run_puzzles(const options& command, report& to, output_stream& err) {
  return report_run(to, planned_runs(command), [&] {
    try {
      return static_cast<int>(run_chosen(command, to, err));
    } catch (const std::bad_alloc&) {
      throw error(exit_code::bad_input, "out of memory", "--size takes fewer elements.");
    }
  });
}

}  // namespace warpz

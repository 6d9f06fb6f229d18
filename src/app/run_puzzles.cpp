// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/run_puzzles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/kernel_folder.hpp"
#include "app/reports.hpp"
#include "app/settings_from_options.hpp"
#include "app/trace_output.hpp"
#include "cli/puzzle_warp_sizes.hpp"
#include "compile/compiler_runner.hpp"
#include "compile/kernel_file.hpp"
#include "error.hpp"
#include "exit_codes.hpp"
#include "input/input.hpp"
#include "report/progress_line.hpp"
#include "run/experiments/warp_sizes.hpp"
#include "run/hidden_judge.hpp"
#include "run/runner.hpp"
#include "source/kernel_names.hpp"
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

/// One device for each warp size. Says which, if asked to.
std::vector<chosen_device> choose_devices(const options& command, bool tells, output_stream& err) {
  std::vector<chosen_device> devices;
  for (const auto& warp_size : warp_sizes_of(command)) {
    devices.push_back(choose_device(device_request_of(command, warp_size)));
  }
  if (tells && backend_of(command) == backend_choice::automatic && !command.module && !command.quiet) {
    err.write(chosen_text(devices.front()));
  }
  return devices;
}

/// A device for the user's kernel, which was compiled for this vendor.
device_request own_device_request(const options& command, const user_module& own, unsigned warp_size,
                                  std::optional<std::uint32_t> number, std::string_view vendor) {
  device_request request{backend_of(command), own.file(command.debugger), warp_size, number, *command.kernel};
  request.debugged = command.debugger;
  request.confined = vendor == name_of(backend_choice::cpu) && !command.debugger;
  request.limits = command.limits;
  // A file's constructors may not take longer than its kernels; loading it takes a moment on a busy machine.
  constexpr double time_to_load = 10;
  if (const double timeout = command.settings.timeout_seconds; request.confined) {
    request.seconds = timeout == 0 ? 0 : std::max(timeout, time_to_load);
  }
  return request;
}

/// Where the user's kernel is not confined, or not as usual: that, and why.
std::string unconfined_text(const kernel_process& kernels, const options& command) {
  if (command.debugger) return {};
  std::string reason = kernels.unconfined();
  if (kernels.vendor() != name_of(backend_choice::cpu)) reason = "on a GPU no kernel is";
  const std::string kernel = printable(*command.kernel);
  if (!reason.empty()) return fmt::format("warpz: {} is not confined: {}\n", kernel, reason);
  reason = kernels.reads_all();
  return reason.empty() ? "" : fmt::format("warpz: {} can read your files: {}\n", kernel, reason);
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
    each = choose_device(own_device_request(command, compiled, each.device.warp_size, each.number, request.vendor));
  }
  if (!command.quiet) err.write(unconfined_text(*devices.front().kernels, command));
  return compiled;
}

void choose_input(run_request& request, const options& command) {
  if (command.input) {
    request.given = std::make_shared<const std::vector<float>>(read_input(*command.input, command.size));
    request.input = {input_source::kind::file, *command.input};
  } else if (command.seed) {
    request.seed = *command.seed;
    request.input = {input_source::kind::random, std::to_string(*command.seed)};
  } else if (command.pattern) {
    request.input = {input_source::kind::pattern, *command.pattern};
  }
}

/// For the hidden cases: a device for each warp size that the kernel is for. `first` is that of the run itself.
std::vector<device_request> hidden_devices(const chosen_device& first, const options& command, const user_module& own) {
  const std::string vendor = first.kernels->vendor();
  const auto request_of = [&](unsigned warp_size, std::optional<std::uint32_t> number) {
    return own_device_request(command, own, warp_size, number, vendor);
  };
  if (vendor != name_of(backend_choice::cpu)) return {request_of(first.device.warp_size, first.number)};
  if (command.warp_size) return {request_of(first.device.warp_size, {})};
  return {request_of(32, {}), request_of(64, {})};
}

/// With data of the user's choice, just these are judged.
bool has_hidden_cases(const options& command) {
  return command.kernel && !command.documented_only && !command.debugger && !command.size && !command.input &&
         !command.seed && !command.pattern && !command.shape && !command.pivot;
}

/// A hidden case should take no longer than the documented one suggests.
double hidden_seconds(const puzzle_outcome& documented) { return std::max(1.0, documented.milliseconds / 100); }

run_request hidden_request(run_request request, const puzzle_outcome& documented) {
  // Each search takes seven runs.
  request.seeks_undefined = !documented.has_undefined_values;
  request.on_rerun = {};
  request.is_silent = true;
  request.trace.reset();
  request.counts_costs = false;
  return request;
}

/// Runs all puzzles with each runner, and reports their outcomes.
exit_code run_all(std::vector<runner>& runners, const options& command, run_request request, const user_module* own,
                  hidden_judge* hidden, progress_line& progress, trace_output& traces, report& reporter) {
  exit_code worst = exit_code::passed;
  for (std::size_t i = 0; i < command.puzzles.size(); ++i) {
    if (own != nullptr) {
      request.kernel = own->kernels()[i];
      request.launch_bound = own->launch_bounds()[i];
    }
    std::vector<puzzle_outcome> results;
    std::vector<std::optional<trace>> traced;
    for (runner& each : runners) {
      // The last run may let go of the input once it has copied it.
      const bool is_last = i + 1 == command.puzzles.size() && &each == &runners.back() && hidden == nullptr;
      suppressions* const accepted = request.findings.accepted;
      // NOLINTNEXTLINE(bugprone-use-after-move): moved from in the last round only
      results.push_back(each.run(*command.puzzles[i], is_last ? std::move(request) : request));
      if (command.kernel && results.back().warp_size == 64)
        list_warp_size_assumptions(results.back(), std::vector<searched_source>{{*command.kernel, *command.kernel}},
                                   accepted);
      traced.push_back(each.take_trace());
    }
    progress.erase();
    if (results.size() > 1) {
      compare_warp_sizes(results[0], results[1], command.kernel.value_or(""), request.findings.accepted);
    }
    const auto failed = [](const puzzle_outcome& each) { return each.result != verdict::passed; };
    if (hidden != nullptr && std::none_of(results.begin(), results.end(), failed)) {
      const run_request varied = hidden_request(request, results.front());
      const double seconds = hidden_seconds(results.front());
      const auto count = [&] { progress.count_input(); };
      if (std::optional<puzzle_outcome> found = hidden->failure(*command.puzzles[i], varied, seconds, count)) {
        const bool is_second = results.size() > 1 && found->warp_size == results[1].warp_size;
        results[is_second ? 1 : 0] = std::move(*found);
      } else {
        results.front().passed_hidden = hidden->cases_of(*command.puzzles[i]);
      }
      progress.erase();
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
      const puzzle_outcome& result = results[k];
      if (traced[k]) traced[k]->costs = result.costs;
      traces.add(std::move(traced[k]));
      worst = first_of(worst, exit_code_of(result.result));
      reporter.add(result);
    }
  }
  return worst;
}

/// Follows what the kernel's file says about itself, where the command line says nothing: keeps the puzzles that it is
/// for, and takes its warp size.
void follow_source(options& command) {
  std::error_code failed;
  // A pipe can be read once only.
  if (!command.puzzles_of_kernel && !std::filesystem::is_regular_file(*command.kernel, failed)) return;
  const std::string source = read_source(*command.kernel);
  if (!command.warp_size && !command.both_warp_sizes) command.warp_size = warp_size_said_in(source);
  if (!command.puzzles_of_kernel) return;
  const std::set<std::string> names = kernel_names_in(source);
  std::erase_if(command.puzzles, [&](const puzzle* each) { return !names.contains(std::string(each->kernel)); });
  if (!command.puzzles.empty()) return;
  throw error(exit_code::bad_input,
              fmt::format("no puzzle is named, and no kernel in {} has the name of a puzzle's kernel",
                          printable(*command.kernel)),
              "Name a puzzle, such as --neighbor: it runs the kernel that takes its arguments. --list shows them.");
}

/// Runs the puzzles of one or several commands, which differ in their kernels' files.
class puzzle_run {
 public:
  /// Keeps references.
  puzzle_run(const options& command, report& reporter, output_stream& out, output_stream& err)
      : whole_(command),
        accepted_(command),
        traces_(command, out),
        progress_(err, command.quiet),
        request_(run_request_of(command, accepted_.choice())),
        reporter_(reporter),
        err_(err) {
    request_.on_rerun = [this] { progress_.count_rerun(); };
  }

  /// Once. A file of several that can't be used does not keep the others from running.
  exit_code run(std::span<const options> commands) {
    exit_code worst = exit_code::passed;
    for (const options& command : commands) {
      const bool is_last = &command == &commands.back();
      try {
        worst = first_of(worst, run(command, is_last ? std::move(request_) : request_));
      } catch (const error& reason) {
        const bool is_of_file = reason.code() == exit_code::does_not_compile || reason.code() == exit_code::bad_input;
        if (command.kernel == whole_.kernel || !is_of_file) throw;
        reporter_.add(refused_run{command.puzzles.front(), *command.kernel, reason});
        worst = first_of(worst, reason.code());
      }
    }
    traces_.finish();
    accepted_.finish(err_);
    return worst;
  }

 private:
  exit_code run(const options& command, run_request request) {
    std::vector<chosen_device> devices = choose_devices(command, !std::exchange(has_told_, true), err_);
    std::optional<user_module> own;
    if (command.kernel) own.emplace(compile_for(devices, command, err_));
    std::vector<runner> runners(devices.begin(), devices.end());
    std::optional<hidden_judge> hidden;
    if (own && has_hidden_cases(command)) hidden.emplace(hidden_devices(devices.front(), command, *own));
    return run_all(runners, command, std::move(request), own ? &*own : nullptr, hidden ? &*hidden : nullptr, progress_,
                   traces_, reporter_);
  }

  const options& whole_;
  accepted_findings accepted_;
  trace_output traces_;
  progress_line progress_;
  run_request request_;
  bool has_told_ = false;  ///< on which device
  report& reporter_;
  output_stream& err_;
};

/// A command for each file in the folder of kernels. Says what is left out.
std::vector<options> commands_for_files(const options& command, output_stream& err) {
  const kernel_folder folder(*command.kernel, command.puzzles, command.puzzles_of_kernel);
  if (command.debugger && folder.files().size() > 1)
    throw error(exit_code::bad_input, "--debugger runs one kernel, and --kernel names a folder of several");
  if (!command.quiet) err.write(folder.notes());
  std::vector<options> commands;
  for (const puzzle_file& each : folder.files()) {
    options one = command;
    one.kernel = each.file;
    one.puzzles = {each.task};
    one.puzzles_of_kernel = false;
    try {
      follow_source(one);
    } catch (const error&) {
      // It can't be read, which shows when it is to be compiled.
    }
    for (options& part : by_warp_size(one)) commands.push_back(std::move(part));
  }
  return commands;
}

std::vector<options> commands_of(const options& command, output_stream& err) {
  if (command.kernel && is_kernel_folder(*command.kernel)) return commands_for_files(command, err);
  options followed = command;
  if (command.kernel) follow_source(followed);
  return by_warp_size(followed);
}

}  // namespace

device_request device_request_of(const options& command, std::optional<unsigned> warp_size) {
  const bool instrumented = !command.kernel && !command.module && command.settings.check == WARPZ_CHECK_ALL;
  // With a kernel, this is only the device for which it is compiled.
  const bool debugged = command.debugger && !command.kernel;
  return {backend_of(command), command.module, warp_size, command.device, {}, instrumented, debugged};
}

run_request run_request_of(const options& command, const finding_choice& findings) {
  run_request request;
  request.size = command.size;
  request.pivot = command.pivot;
  request.shape = command.shape;
  request.which = command.variant;
  request.settings = command.settings;
  request.trace = trace_request_of(command);
  request.counts_costs = command.counters;
  request.schedules = schedules_of(command);
  request.findings = findings;
  request.limits = command.limits;
  choose_input(request, command);
  return request;
}

int run_puzzles(const options& command, report& reporter, output_stream& out, output_stream& err) {
  std::vector<options> commands{command};
  std::optional<error> refused;
  try {
    commands = commands_of(command, err);
  } catch (const error& reason) {
    refused = reason;
  }
  std::vector<std::string> planned;
  for (const options& each : commands) {
    for (std::string& run : planned_runs(each)) planned.push_back(std::move(run));
  }
  return report_run(reporter, planned, [&] {
    if (refused) throw error(*refused);
    try {
      return static_cast<int>(puzzle_run(command, reporter, out, err).run(commands));
    } catch (const std::bad_alloc&) {
      throw error(exit_code::bad_input, "out of memory", "--size takes fewer elements.");
    }
  });
}

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "app/run_user_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "app/device_choice.hpp"
#include "app/divided_work.hpp"
#include "app/reports.hpp"
#include "app/settings_from_options.hpp"
#include "app/trace_output.hpp"
#include "compile/compile_commands.hpp"
#include "compile/device_module.hpp"
#include "compile/gpu_program.hpp"
#include "compile/user_flags.hpp"
#include "compile/user_program_file.hpp"
#include "error.hpp"
#include "findings/device_sources.hpp"
#include "process/own_starts.hpp"
#include "report/output_file.hpp"
#include "report/progress_line.hpp"
#include "run/user_program_runner.hpp"
#include "system/elf_file.hpp"
#include "system/file_content.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

/// The file's name for a message: short, where it is in the working folder.
std::string short_name(const std::string& file) {
  std::error_code failed;
  const std::filesystem::path relative =
      std::filesystem::path(file).lexically_proximate(std::filesystem::current_path(failed));
  return printable(relative.native().starts_with("..") ? file : relative.native());
}

/// What a build compiles each file with, where a compile_commands.json says so.
std::vector<std::vector<std::string>> flags_of_build(const options& command, output_stream& err) {
  const std::vector<std::string>& files = command.program.files;
  const std::optional<std::string>& named = command.program.commands;
  if (named == "none") return {};
  const std::optional<std::string> file = named ? named : find_compile_commands(files.front());
  if (!file) return {};
  std::vector<std::vector<std::string>> all;
  try {
    const compile_commands commands(*file);
    for (const std::string& each : files) {
      std::optional<std::vector<std::string>> flags = commands.flags_of(each);
      if (named && !flags) {
        throw error(exit_code::bad_input, fmt::format("{} does not name {}", printable(*named), printable(each)));
      }
      all.push_back(std::move(flags).value_or(std::vector<std::string>()));
    }
  } catch (const error&) {
    if (named) throw;
    // A build may be writing it, and nobody has asked for it.
    return {};
  }
  const bool is_used = std::any_of(all.begin(), all.end(), [](const auto& flags) { return !flags.empty(); });
  if (is_used && !named && !command.output.quiet) {
    write_notice(err, fmt::format("warpz: compiled with the include folders and macros in {}\n", short_name(*file)));
  }
  return all;
}

user_program_request request_of(const options& command, unsigned warp_size, output_stream& err) {
  user_program_request request;
  request.files = command.program.files;
  request.flags = command.program.flags;
  request.compiler = command.kernel.compiler;
  request.instrumented = command.machine.settings.check == WARPZ_CHECK_ALL;
  request.warp_size = warp_size;
  request.architecture = command.program.architecture;
  request.rocm = command.program.rocm;
  request.debuggable = command.kernel.debugger;
  request.has_to_be_complete = command.program.output.has_value();
  request.cache_folder = cache_folder_of(command, err);
  request.settings = compiler_settings_of(command, err);
  return request;
}

/// The program again, for who starts it from within: without what is only for the user who has started it first.
std::vector<std::string> start_words(const options& command) {
  // A sandbox lets nothing be started, and a debugger follows one process.
  if (command.program.confine || command.kernel.debugger) return {};
  std::error_code failed;
  std::vector<std::string> words = {std::filesystem::read_symlink("/proc/self/exe", failed), "--run"};
  for (const std::string& each : command.program.files) words.push_back(each.starts_with('-') ? "./" + each : each);
  std::vector<std::string> options = option_words(command.repeated);
  // It is for a trace.
  if (const auto entry = std::find(options.begin(), options.end(), "--entry"); entry != options.end())
    options.erase(entry, entry + 2);
  words.insert(words.end(), options.begin(), options.end());
  if (command.output.quiet) words.emplace_back("--quiet");
  if (command.program.commands) words.insert(words.end(), {"--compile-commands", *command.program.commands});
  if (command.program.flags.empty()) return words;
  words.emplace_back("--cxxflags");
  words.insert(words.end(), command.program.flags.begin(), command.program.flags.end());
  return words;
}

user_program_plan plan_of(const options& command, const finding_choice& findings) {
  user_program_plan plan;
  user_program_run& run = plan.run;
  run.arguments = {command.program.files.front()};
  run.arguments.insert(run.arguments.end(), command.program.arguments.begin(), command.program.arguments.end());
  run.start_words = start_words(command);
  run.settings = command.machine.settings;
  // Standard output is for JSON alone.
  run.prints_to_error = command.output.format == output_format::json;
  run.limits = command.machine.limits;
  run.debugged = command.kernel.debugger;
  run.confined = command.program.confine;
  run.settings.rocm = command.program.rocm;
  plan.files = command.program.files;
  plan.findings = findings;
  plan.trace = trace_request_of(command);
  plan.leaks = command.program.leaks;
  plan.schedules = schedules_of(command);
  plan.is_compared = command.device.both_warp_sizes;
  plan.counts_costs = command.machine.counters;
  return plan;
}

/// What the machine's properties say: of CUDA's device, if the program is CUDA.
void choose_architecture(warpz_settings& settings, std::string_view name, std::span<const device_source> sources) {
  if (name.empty() && has_cuda(sources)) name = "sm_90";
  name.copy(settings.architecture, sizeof settings.architecture - 1);
}

std::vector<unsigned> warp_sizes_of_program(const options& command) {
  if (command.device.both_warp_sizes) return {32, 64};
  return {command.device.warp_size.value_or(32)};
}

/// The name of the program's first file, once for each warp size; nothing where it is only compiled.
std::vector<std::string> planned_program_runs(const options& command) {
  if (command.program.output) return {};
  return std::vector<std::string>(warp_sizes_of_program(command).size(), printable(command.program.files.front()));
}

/// Runs the program with each warp size, and reports the outcomes. Returns the exit code.
int run_with_each_warp_size(const options& command, user_program_plan plan, report& reporter, output_stream& out,
                            output_stream& err) {
  progress_line progress(err, command.output.quiet);
  plan.on_rerun = [&] { progress.count_rerun(); };
  plan.run.on_long_run = [&](double seconds, bool in_kernel) {
    progress.report_long_run(printable(command.program.files.front()), seconds, in_kernel);
  };
  trace_output traces(command, out);
  user_program_runner runner(std::move(plan));
  const auto print = [&](std::string_view text) {
    output_stream& stream = command.output.format == output_format::json ? err : out;
    stream.write(text);
    stream.flush();
  };
  std::vector<user_program_outcome> results, told;
  for (const unsigned warp_size : warp_sizes_of_program(command)) check_traced_lanes(command, warp_size);
  for (const unsigned warp_size : warp_sizes_of_program(command)) {
    if (command.device.both_warp_sizes) {
      out.flush();
      err.write(fmt::format("warpz: with {} lanes\n", warp_size));
    }
    err.flush();
    const auto start = std::chrono::steady_clock::now();
    judged_program_run judged = runner.run(warp_size, print);
    results.push_back(std::move(judged.outcome));
    results.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    runner.list_assumptions(results.back());
    if (results.size() == 2) runner.compare_warp_sizes(results[0], results[1]);
    progress.erase();
    if (command.trace.format) {
      if (!judged.traced)
        write_notice(err, fmt::format("warpz: nothing to trace: there is no launch{}{} that has a block {}\n",
                                      command.trace.launch ? fmt::format(" {}", *command.trace.launch) : "",
                                      command.kernel.entry ? " of " + printable(*command.kernel.entry) : "",
                                      command.trace.block.value_or(0)));
      if (judged.traced) judged.traced->costs = results.back().costs;
      traces.add(std::move(judged.traced));
    }
    reporter.add(results.back());
    for (user_program_outcome& each : judged.started) {
      reporter.add(each);
      told.push_back(std::move(each));
    }
    if (!results.back().findings.empty()) told.push_back(results.back());
  }
  traces.finish();
  if (command.machine.settings.check == WARPZ_CHECK_ALL && !results.front().is_checked && !command.output.quiet) {
    write_notice(err,
                 fmt::format("warpz: {} was not compiled with --check all: its accesses to memory are not checked\n",
                             printable(command.program.files.front())));
  }
  const bool has_broken_rule = std::any_of(results.begin(), results.end(), [](const user_program_outcome& each) {
    return each.result != verdict::passed || each.started_broke_rule;
  });
  if (!told.empty()) started_reports::file(report_of_started(told));
  if (!has_broken_rule) return results.front().exit_code;
  return static_cast<int>(exit_code::broken_rule);
}

/// Refuses pipes and devices: compilers read a file several times.
void check_files(const std::vector<std::string>& files) {
  for (const std::string& each : files) {
    std::error_code failed;
    const std::filesystem::file_type type = std::filesystem::status(each, failed).type();
    if (type != std::filesystem::file_type::fifo && type != std::filesystem::file_type::character) continue;
    throw error(exit_code::bad_input, fmt::format("--run: {} is a pipe or a device, not a file", printable(each)),
                "Write the program to a file first.");
  }
}

/// Refuses a compiled file that was cut off: what is missing would be missed while it is loaded.
void check_whole(const std::string& file) {
  // Its last bytes are the list of its sections.
  const std::optional<std::string> bytes = os::content_of(file);
  if (!bytes || !os::elf_file(*bytes).sections().empty()) return;
  throw error(exit_code::bad_input, fmt::format("--run: the end of {} is missing", printable(file)),
              "Compile it again, or copy it again.");
}

/// Compiles the program to the file, and writes FILE.d beside it, which lists for make what it depends on.
void compile_to(const std::string& file, const user_program_request& request) {
  output_file program("--output", file);
  output_file depfile("--output", file + ".d");
  program.check();
  depfile.check();
  const compiled_user_program compiled = compile_user_program(request);
  program.replace(compiled.library);
  depfile.replace(compiled.depfile(file));
}

int compile_and_run(const options& command, report& reporter, output_stream& out, output_stream& err,
                    piece_runner* runner) {
  accepted_findings accepted(command);
  std::optional<user_module::in_memory> library, other_library;
  user_program_plan plan = plan_of(command, accepted.choice());
  if (divides_schedules(command)) plan.runner = runner;
  const device_module_compiler modules(command.kernel.compiler,
                                       {"--run", command.machine.settings.check == WARPZ_CHECK_ALL,
                                        command.kernel.debugger, command.program.architecture, command.program.rocm},
                                       cache_folder_of(command, err), command.program.confine);
  plan.run.settings.compiler = modules.settings();
  const std::string& first = command.program.files.front();
  const std::vector<unsigned> warp_sizes = warp_sizes_of_program(command);
  check_files(command.program.files);
  if (command.program.files.size() == 1 && is_compiled_user_program(first)) {
    if (command.program.output || command.program.commands.value_or("none") != "none" ||
        !command.program.flags.empty()) {
      throw error(exit_code::bad_input, fmt::format("--run: {} is compiled already", printable(first)));
    }
    check_whole(first);
    plan.run.library = std::filesystem::absolute(first);
    for (device_source& each : device_sources_in(first)) plan.other_sources.push_back(std::move(each.path));
  } else {
    user_program_request request = request_of(command, warp_sizes.front(), err);
    request.file_flags = flags_of_build(command, err);
    if (command.program.output) {
      compile_to(*command.program.output, request);
      return static_cast<int>(exit_code::passed);
    }
    const compiled_user_program compiled = compile_user_program(request);
    plan.run.library = library.emplace(compiled.library).file(command.kernel.debugger);
    if (warp_sizes.size() > 1 && compiled.asks_for_warp_size) {
      request.warp_size = warp_sizes.back();
      plan.libraries[request.warp_size] =
          other_library.emplace(compile_user_program(request).library).file(command.kernel.debugger);
    }
  }
  choose_architecture(plan.run.settings, command.program.architecture, device_sources_in(plan.run.library));
  const int code = run_with_each_warp_size(command, std::move(plan), reporter, out, err);
  accepted.finish(err);
  return code;
}

/// NAME=value that leaves the program this one of the devices it would see.
std::string one_visible_device(backend_choice backend, std::uint32_t number) {
  const char* const name = backend == backend_choice::amd ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES";
  const char* const seen = std::getenv(name);
  std::istringstream list(seen != nullptr ? seen : "");
  std::string device;
  for (std::uint32_t i = 0; i <= number; ++i) {
    if (!std::getline(list, device, ',')) device = std::to_string(number);
  }
  return fmt::format("{}={}", name, device);
}

int compile_and_run_on_gpu(const options& command, report& reporter, output_stream& err) {
  const std::string& first = command.program.files.front();
  check_files(command.program.files);
  if (is_compiled_user_program(first)) {
    throw error(exit_code::bad_input, fmt::format("--run: {} is compiled already", printable(first)),
                "Name the sources, or start it without warpz where it was compiled for a GPU.");
  }
  // It is let go before the program runs: some GPUs serve one process at a time.
  const warpz_device device = choose_device(device_request_of(command, command.device.warp_size)).device;
  gpu_program_request request;
  request.files = command.program.files;
  request.flags = command.program.flags;
  request.file_flags = flags_of_build(command, err);
  request.vendor = name_of(command.device.backend);
  request.architecture = bounded(device.architecture);
  request.cache_folder = cache_folder_of(command, err);
  request.settings = compiler_settings_of(command, err);
  const user_module::in_memory executable(compile_gpu_program(std::move(request)));

  user_program_run run = plan_of(command, {}).run;
  run.library = executable.file(false);
  run.is_executable = true;
  if (command.device.number) run.environment = {one_visible_device(command.device.backend, *command.device.number)};
  progress_line progress(err, command.output.quiet);
  run.on_long_run = [&](double seconds, bool) { progress.report_long_run(printable(first), seconds, false); };
  user_program_outcome result;
  result.files = command.program.files;
  result.backend = name_of(command.device.backend);
  result.warp_size = device.warp_size;
  err.flush();
  const auto start = std::chrono::steady_clock::now();
  const user_program_end end = run_user_program(nullptr, run);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  take_end(result, end);
  for (const warpz_finding& each : end.findings) result.findings.push_back({each});
  if (!result.findings.empty()) result.result = verdict::broken_rule;
  reporter.add(result);
  return result.result == verdict::passed ? result.exit_code : static_cast<int>(exit_code::broken_rule);
}

}  // namespace

int run_user_program(const options& command, report& reporter, output_stream& out, output_stream& err,
                     piece_runner* runner) {
  return report_run(reporter, planned_program_runs(command), [&] {
    return is_gpu(command.device.backend) ? compile_and_run_on_gpu(command, reporter, err)
                                          : compile_and_run(command, reporter, out, err, runner);
  });
}

}  // namespace warpz

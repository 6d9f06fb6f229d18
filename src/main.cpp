// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parse, run, report, exit code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "app/run_user_program.hpp"
#include "app/settings_from_options.hpp"
#include "cli/color.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "compile/kernel_file.hpp"
#include "error.hpp"
#include "exit_codes.hpp"
#include "input/input.hpp"
#include "report/progress_line.hpp"
#include "report/report.hpp"
#include "run/backend.hpp"
#include "run/experiments/warp_sizes.hpp"
#include "run/runner.hpp"
#include "text/printable.hpp"

namespace {

using namespace warpz;

std::string_view name_of(check_level level) {
  constexpr std::array<std::string_view, 3> names{"off", "collectives", "all"};
  return names[static_cast<std::size_t>(level)];
}

std::string_view name_of(vendor_rules rules) {
  constexpr std::array<std::string_view, 3> names{"portable", "amd", "nvidia"};
  return names[static_cast<std::size_t>(rules)];
}

/// Where none is named, what only the CPU machine does means the CPU.
backend_choice backend_of(const options& asked) {
  const bool for_cpu = !first_for_cpu_only(asked).option.empty();
  return for_cpu && asked.backend == backend_choice::automatic ? backend_choice::cpu : asked.backend;
}

/// What a suggested command repeats beside the puzzle and its data.
std::string options_to_keep(const options& asked) {
  std::vector<std::string> words;
  if (asked.module) words.push_back("--module " + shell_word(*asked.module));
  if (asked.kernel) words.push_back("--kernel " + shell_word(*asked.kernel));
  if (asked.entry) words.push_back("--entry " + shell_word(*asked.entry));
  if (asked.compiler) words.push_back("--compiler " + shell_word(*asked.compiler));
  if (asked.no_cache) words.push_back("--no-cache");
  if (asked.check) words.push_back(fmt::format("--check {}", name_of(*asked.check)));
  if (asked.schedules) words.push_back(fmt::format("--schedules {}", *asked.schedules));
  if (asked.schedule_seed) words.push_back(fmt::format("--schedule-seed {}", *asked.schedule_seed));
  const options usual;
  if (asked.rules != usual.rules) words.push_back(fmt::format("--rules {}", name_of(asked.rules)));
  if (asked.findings_limit != usual.findings_limit) {
    words.push_back(fmt::format("--findings-limit {}", asked.findings_limit));
  }
  if (asked.suppress) words.push_back("--suppress " + shell_word(*asked.suppress));
  if (asked.limits.memory_bytes != usual.limits.memory_bytes) {
    words.push_back(fmt::format("--memory-limit {}", asked.limits.memory_bytes >> 20));
  }
  if (asked.limits.output_bytes != usual.limits.output_bytes) {
    words.push_back(fmt::format("--output-limit {}", asked.limits.output_bytes >> 20));
  }
  if (asked.which == variant::shared) words.push_back("--variant shared");
  if (asked.timeout_seconds != options{}.timeout_seconds) {
    words.push_back(fmt::format("--timeout {}", asked.timeout_seconds));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

/// The backend and device as they were chosen; the CPU's devices differ in their warp size alone, which a command
/// names.
std::string device_options(const options& asked) {
  if (asked.backend == backend_choice::automatic) return {};
  std::string words = fmt::format("--backend {}", name_of(asked.backend));
  if (asked.device && asked.backend != backend_choice::cpu) words += fmt::format(" --device {}", *asked.device);
  return words;
}

std::unique_ptr<report> make_report(const options& asked, const char* program, output_stream& out, output_stream& err) {
  std::vector<std::unique_ptr<report>> reports;
  if (asked.format == output_format::json) {
    reports.push_back(make_json_report(out));
  } else {
    report_style style;
    style.full = asked.full;
    style.quiet = asked.quiet;
    style.tell_warp_size = asked.both_warp_sizes;
    style.emoji = asked.emoji;
    style.color_out = use_color(asked.color, 1);
    style.color_err = use_color(asked.color, 2);
    style.suggestions.program = shell_word(program);
    style.suggestions.kept_options = options_to_keep(asked);
    style.suggestions.device_options = device_options(asked);
    style.suggestions.watched_options = "--backend cpu";
    style.suggestions.own_kernels = asked.module.has_value();
    reports.push_back(make_text_report(style, out, err));
  }
  if (asked.junit) reports.push_back(make_junit_report(*asked.junit));
  if (asked.sarif) reports.push_back(make_sarif_report(*asked.sarif));
  return make_report_group(std::move(reports));
}

device_request request_of(const options& asked, std::optional<unsigned> warp_size) {
  const bool instrumented = !asked.kernel && !asked.module && check_of(asked) == WARPZ_CHECK_ALL;
  return {backend_of(asked), asked.module, warp_size, asked.device, {}, instrumented};
}

std::vector<std::optional<unsigned>> warp_sizes_of(const options& asked) {
  if (asked.both_warp_sizes) return {32, 64};
  return {asked.warp_size};
}

/// Compiles the user's kernel for the devices that were chosen, which are then brought up with it.
user_module compile_for(std::vector<chosen_device>& devices, const options& asked, output_stream& err) {
  const chosen_device& device = devices.front();
  compile_request how;
  how.file = *asked.kernel;
  how.puzzles = asked.puzzles;
  how.entry = asked.entry;
  how.compiler = asked.compiler;
  how.vendor = device.kernels->vendor();
  how.instrumented = check_of(asked) == WARPZ_CHECK_ALL && how.vendor == name_of(backend_choice::cpu);
  how.architecture = bounded(device.device.architecture);
  how.cache_folder = cache_folder_of(asked);
  how.settings = compiler_settings_of(asked, err);
  user_module made = compile_kernel(how);
  for (chosen_device& each : devices) {
    each = choose_device({backend_of(asked), made.file(), each.device.warp_size, each.number, *asked.kernel});
  }
  return made;
}

/// What --backend auto came to, and why it did not come to what is tried before.
std::string chosen_text(const chosen_device& device) {
  std::string text =
      fmt::format("running on {}: {}\n", printable(device.kernels->vendor()), printable(bounded(device.device.name)));
  for (const std::string& reason : device.passed_over) text += fmt::format("  not on {}\n", reason);
  return text;
}

/// Runs the puzzles in turn; the code is that of the worst outcome.
exit_code run_puzzles(const options& asked, report& to, output_stream& err) {
  exit_code worst = exit_code::passed;
  const std::vector<std::optional<unsigned>> warp_sizes = warp_sizes_of(asked);
  std::vector<const puzzle*> planned;
  for (const puzzle* const each : asked.puzzles) planned.insert(planned.end(), warp_sizes.size(), each);
  const auto stop = [&](const error& reason) {
    const exit_code code = first_of(worst, reason.code());
    to.end(code, &reason);
    throw error(code, reason.what(), reason.advice());
  };
  try {
    to.begin(planned);
    run_request request;
    request.size = asked.size;
    request.pivot = asked.pivot;
    request.shape = asked.shape;
    request.which = asked.which;
    request.timeout_seconds = asked.timeout_seconds;
    request.check = check_of(asked);
    request.schedules = schedules_of(asked);
    request.rules = rules_of(asked);
    accepted_findings accepted(asked);
    request.findings = accepted.choice();
    request.limits = asked.limits;
    progress_line progress(err, asked.quiet);
    request.told_rerun = [&] { progress.tell_rerun(); };
    if (asked.input) {
      request.given = std::make_shared<const std::vector<float>>(read_input(*asked.input, asked.size));
      request.input = {input_source::kind::file, *asked.input};
    } else if (asked.seed) {
      request.seed = *asked.seed;
      request.input = {input_source::kind::random, std::to_string(*asked.seed)};
    }
    std::vector<chosen_device> devices;
    for (const auto& warp_size : warp_sizes) devices.push_back(choose_device(request_of(asked, warp_size)));
    if (backend_of(asked) == backend_choice::automatic && !asked.module && !asked.quiet) {
      err.write(chosen_text(devices.front()));
    }
    std::optional<user_module> own;
    if (asked.kernel) own.emplace(compile_for(devices, asked, err));
    std::vector<runner> runners(devices.begin(), devices.end());
    for (const puzzle* const& each : asked.puzzles) {
      if (own) {
        const auto number = static_cast<std::size_t>(&each - asked.puzzles.data());
        request.kernel = own->runs_as()[number];
        request.launch_bound = own->launch_bounds()[number];
      }
      std::vector<outcome> results;
      for (runner& run : runners) {
        const bool last = &each == &asked.puzzles.back() && &run == &runners.back();
        // NOLINTNEXTLINE(bugprone-use-after-move): moved from in the last round only
        results.push_back(run.run(*each, last ? std::move(request) : request));
      }
      progress.erase();
      if (results.size() > 1) {
        compare_warp_sizes(results[0], results[1], asked.kernel.value_or(""), accepted.choice().accepted);
      }
      for (const outcome& result : results) {
        worst = first_of(worst, exit_code_of(result.result));
        to.add(result);
      }
    }
    accepted.tell_unused(err);
  } catch (const error& reason) {
    stop(reason);
  } catch (const std::bad_alloc&) {
    stop(error(exit_code::bad_input, "out of memory", "--size takes fewer elements."));
  }
  to.end(worst, nullptr);
  return worst;
}

/// The exit code.
int run_asked(int count, char** arguments, output_stream& out, output_stream& err) {
  const options asked = parse(count, arguments);
  switch (asked.asked) {
    case action::help:
      if (!asked.nothing_asked) {
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
      out.write(completion_script(asked.completion_shell));
      return 0;
    case action::devices:
      out.write(devices_text(request_of(asked, asked.warp_size)));
      return 0;
    case action::program:
      return run_program_command(asked, out, err);
    case action::run:
      break;
  }
  const auto reports = make_report(asked, arguments[0], out, err);
  return static_cast<int>(run_puzzles(asked, *reports, err));
}

}  // namespace

int main(int count, char** arguments) {
  occupy_closed_standard_streams();
  // A reader that goes away is an error of write(), told like any other.
  std::signal(SIGPIPE, SIG_IGN);
  output_stream out(1, "standard output");
  output_stream err(2, "standard error", output_stream::on_failure::ignore);
  int code = static_cast<int>(exit_code::bad_input);
  try {
    code = run_asked(count, arguments, out, err);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From words to options. What a row of the table says by itself is checked by option_parser and option_rules; here is
// the rest: what depends on several options, or on the puzzles.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <utility>

#include "abi/architecture.hpp"
#include "cli/option_parser.hpp"
#include "cli/option_rules.hpp"
#include "cli/refusal.hpp"
#include "cli/trace_files.hpp"
#include "cli/written_files.hpp"
#include "text/nearest.hpp"

namespace warpz {
namespace {

std::vector<std::string> words_of(int count, const char* const* arguments) {
  return {arguments + std::min(count, 1), arguments + count};
}

/// The action, and the puzzles that are asked for without being named.
void choose_action(options& command, std::span<const given_option> given) {
  const auto first = std::find_if(given.begin(), given.end(), [](const auto& each) { return each.row->starts; });
  const bool is_started = first != given.end();
  if (is_started) command.action = *first->row->starts;
  command.puzzles_of_kernel = command.kernel.file && (command.all || !is_started);
  if (command.puzzles_of_kernel) command.action = action::run;
  const bool measures_operations =
      command.bench == bench_choice::latency && (!is_started || command.action == action::run);
  if (measures_operations) {
    command.action = action::latency;
  } else if (command.bench && command.action == action::run) {
    command.action = action::benchmark;
  }
  const bool means_own = command.kernel.puzzles && !command.kernel.file && !is_started;
  if (means_own) {
    command.action = action::run;
    std::copy_if(puzzles().begin(), puzzles().end(), std::back_inserter(command.puzzles),
                 [](const puzzle* each) { return each->is_own(); });
  }
  command.nothing_asked = !is_started && command.action == action::help;
  if (command.all || command.puzzles_of_kernel) command.puzzles.assign(puzzles().begin(), puzzles().end());
}

/// Refuses an option of which no puzzle that is to run makes use.
template <class Takes>
void check_taken(std::string_view option, const options& command, const Takes& takes) {
  if (std::any_of(command.puzzles.begin(), command.puzzles.end(), takes)) return;
  std::vector<std::string_view> able;
  for (const puzzle* one : puzzles())
    if (takes(one)) able.push_back(one->flag);
  refuse(fmt::format("--{} is given, but none of the puzzles takes one", option),
         able.empty() ? "" : fmt::format("It works with {}.", alternatives(able, "--")));
}

void check_data(const options& command) {
  const auto takes_pivot = [](const puzzle* one) { return one->documented_pivot.has_value(); };
  if (command.data.pivot) check_taken("pivot", command, takes_pivot);
  const auto takes_shape = [](const puzzle* one) { return one->documented_shape.has_value(); };
  if (command.data.shape) check_taken("shape", command, takes_shape);
}

/// --all means all that have the variant.
void choose_variant(options& command) {
  const variant version = command.kernel.variant;
  const auto lacks_it = [&](const puzzle* one) { return one->kernel_of(version).empty(); };
  if (command.all) std::erase_if(command.puzzles, lacks_it);
  const auto lacking = std::find_if(command.puzzles.begin(), command.puzzles.end(), lacks_it);
  if (lacking == command.puzzles.end()) return;
  std::vector<std::string_view> able;
  for (const puzzle* one : puzzles())
    if (!lacks_it(one)) able.push_back(one->flag);
  const bool is_shared = version == variant::shared;
  refuse(fmt::format("--variant {}: --{} has no {}", is_shared ? "shared" : "tuned", (*lacking)->flag,
                     is_shared ? "kernel that goes through shared memory" : "tuned kernel"),
         fmt::format("It works with {}.", alternatives(able, "--")));
}

/// Follows from the options what they leave open.
void complete(machine_options& machine, const options& command) {
  const bool has_own =
      std::any_of(command.puzzles.begin(), command.puzzles.end(), [](auto each) { return each->is_own(); });
  const bool is_users_code = command.kernel.file || has_own || command.action == action::program;
  const bool needs_accesses = command.trace.format || command.machine.counters;
  if (needs_accesses || (is_users_code && !machine.check_given)) machine.settings.check = WARPZ_CHECK_ALL;
  // A puzzle's kernel has less, where its solution says how long it takes (app/kernel_time.hpp).
  constexpr double time_limit_of_kernels = 60;
  if (!machine.time_limit_given && (command.kernel.file || has_own))
    machine.settings.time_limit_seconds = time_limit_of_kernels;
  if (!command.kernel.debugger) return;
  machine.settings.timeout_seconds = 0;
  machine.settings.time_limit_seconds = 0;
  machine.settings.workers = 1;
}

/// --devices lists the CPU machine's: a device for each warp size.
void choose_device_of_program(device_options& device) {
  constexpr unsigned warp_sizes[] = {32, 64};
  if (!device.number) return;
  if (*device.number >= std::size(warp_sizes))
    refuse(fmt::format("--device {}: cpu has 2 devices, numbers 0 to 1", *device.number), "--devices lists them.");
  const unsigned warp_size = warp_sizes[*device.number];
  if (device.both_warp_sizes || device.warp_size.value_or(warp_size) != warp_size)
    refuse(fmt::format("--device {} has {} lanes per warp, but --warp-size asks for {}", *device.number, warp_size,
                       device.both_warp_sizes ? "both" : std::to_string(*device.warp_size)));
  device.warp_size = warp_size;
}

/// An AMD GPU has one warp size.
void choose_lanes_of_program(device_options& device, std::string_view name) {
  const unsigned lanes = name.empty() ? 0 : architecture_of(name)->lanes;
  if (lanes == 0) return;
  if (device.both_warp_sizes || device.warp_size.value_or(lanes) != lanes)
    refuse(fmt::format("--arch {} has {} lanes per warp, but --warp-size asks for {}", name, lanes,
                       device.both_warp_sizes ? "both" : std::to_string(*device.warp_size)));
  device.warp_size = lanes;
}

void check_program(options& command, std::span<const given_option> given) {
  check_machine(given, command.device);
  const bool is_for_gpu = is_gpu(command.device.backend);
  for (const given_option& one : given) {
    if (is_for_gpu && one.row->name == "timeout" && !is_default(one))
      refuse("--timeout does nothing with --run on a GPU: nobody sees there whether a kernel makes progress",
             "--time-limit stops the whole program.");
  }
  if (!is_for_gpu) choose_device_of_program(command.device);
  choose_lanes_of_program(command.device, command.program.architecture);
  if (command.program.output && !command.program.arguments.empty())
    refuse("--output does not run the program: it has no arguments");
  if (!command.trace.format && command.kernel.entry) refuse("with --run, --entry works only with --trace");
  if (command.trace.format && command.trace.format != trace_format::text && !command.trace.file)
    refuse("with --run, only --trace text goes to standard output, which is the program's",
           "-o FILE writes the trace elsewhere.");
}

void check_puzzles(options& command, std::span<const given_option> given) {
  if (command.kernel.entry && !command.kernel.file) refuse("--entry works only with --kernel FILE");
  command.device.needs_cpu_machine = check_machine(given, command.device);
  choose_variant(command);
  check_data(command);
  if (command.bench && command.trace.file && !command.trace.file->ends_with(".svg"))
    refuse("--bench draws an SVG picture: -o takes a name that ends with .svg");
}

}  // namespace

options parse(int count, const char* const* arguments) {
  const std::vector<option_row> table = option_table();
  command_words words = split_words(words_of(count, arguments), table);
  options command;
  option_parser parser(table, command);
  const std::optional<action> at_once = parser.parse(words.own);
  const std::vector<given_option> given = parser.given();
  const bool has_program =
      std::any_of(given.begin(), given.end(), [](const auto& each) { return each.row->starts == action::program; });
  if (!has_program && !words.arguments.empty()) refuse_word(words.arguments.front(), false, table);
  if (at_once) {
    options answered;
    answered.action = *at_once;
    if (asks_for_json(count, arguments)) answered.output.format = output_format::json;
    return answered;
  }
  command.program.arguments = std::move(words.arguments);
  command.repeated = repeated_options(given, table);
  choose_action(command, given);
  if (command.nothing_asked) return command;
  check_action(given, command);
  switch (command.action) {
    case action::program:
    case action::run:
    case action::benchmark:
    case action::latency:
      break;
    default:
      return command;
  }
  check_combinations(given, table);
  choose_trace_format(command.trace);
  complete(command.machine, command);
  if (command.action == action::program) {
    check_program(command, given);
  } else {
    check_puzzles(command, given);
  }
  check_written_files(given, command);
  return command;
}

bool asks_for_json(int count, const char* const* arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::string format;
  app.add_option("--format", format)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  std::vector<std::string> words = words_of(count, arguments);
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError&) {
    // What is wrong is not asked here.
  }
  return format == "json";
}

}  // namespace warpz

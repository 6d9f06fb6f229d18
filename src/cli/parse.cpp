// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CLI11 splits the words into options and values; the messages are the table's.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "cli/option_table.hpp"
#include "cli/program_words.hpp"
#include "cli/trace_files.hpp"
#include "cli/written_files.hpp"
#include "error.hpp"
#include "text/nearest.hpp"
#include "text/printable.hpp"

namespace warpz {
namespace {

constexpr std::string_view end_of_options = "--";

struct occurrence {
  const option_row* row;
  std::string value;
};

[[noreturn]] void refuse(const std::string& problem, std::string advice = {}) {
  throw error(exit_code::bad_input, problem, std::move(advice));
}

class command_line {
 public:
  command_line(std::vector<std::string> words, std::span<const option_row> table)
      : words_(std::move(words)), table_(table) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const option_row* const row = find(words_[i]);
      if (row == nullptr) continue;
      // CLI11 would take -help for -h -e -l -p.
      words_[i] = fmt::format("--{}", row->name);
      if (row->implied.empty()) continue;
      const auto all = choices(*row);
      const bool has_value = i + 1 < words_.size() && std::find(all.begin(), all.end(), words_[i + 1]) != all.end();
      if (!has_value && (i + 1 == words_.size() || words_[i + 1].starts_with('-'))) {
        words_[i] += fmt::format("={}", row->implied);
      }
    }
  }

  std::vector<occurrence> split() {
    check_equals_signs();
    CLI::App app;
    app.set_help_flag();
    app.allow_extras();
    std::vector<CLI::Option*> known;
    for (const option_row& row : table_) known.push_back(add(app, row));
    try {
      std::vector<std::string> reversed(words_.rbegin(), words_.rend());
      app.parse(reversed);
    } catch (const CLI::ParseError& problem) {
      // Any word is taken as a value, so only the last option can be without.
      const option_row* const last = find(words_.back());
      if (last == nullptr) throw std::logic_error(problem.what());
      needs_value(*last);
    }
    check_left_over(app.remaining());

    std::vector<occurrence> given;
    std::vector<std::size_t> seen(table_.size());
    for (const CLI::Option* option : app.parse_order()) {
      const auto place = static_cast<std::size_t>(std::find(known.begin(), known.end(), option) - known.begin());
      const option_row& row = table_[place];
      const std::string& value = option->results()[seen[place]++];
      if (row.kind == value_kind::none) {
        given.push_back({&row, {}});
        continue;
      }
      if (value == end_of_options || find(value.substr(0, value.find('='))) != nullptr) needs_value(row, value);
      given.push_back({&row, value});
    }
    return given;
  }

 private:
  static CLI::Option* add(CLI::App& app, const option_row& row) {
    const std::string name = fmt::format("--{}", row.name);
    if (row.kind == value_kind::none) return app.add_flag(name);
    const auto accept = [](const CLI::results_t&) { return true; };
    return app.add_option(name, accept)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  // The option that is spelled so.
  const option_row* find(std::string_view word) const {
    const auto spelled_so = [word](const option_row& row) {
      return (word.starts_with("--") && word.substr(2) == row.name) ||
             (word.size() == 2 && word[0] == '-' && word[1] == row.letter);
    };
    const auto row = std::find_if(table_.begin(), table_.end(), spelled_so);
    return row == table_.end() ? nullptr : &*row;
  }

  // `--size= 5` is no `--size 5`: the value may have been an empty variable of a script.
  void check_equals_signs() const {
    for (const std::string_view word : words_) {
      if (word == end_of_options) return;
      const std::size_t sign = word.find('=');
      if (sign == std::string_view::npos) continue;
      const option_row* const row = find(word.substr(0, sign));
      if (row == nullptr) continue;
      if (row->kind == value_kind::none) refuse(fmt::format("--{} takes no value", row->name));
      if (sign + 1 == word.size()) needs_value(*row);
    }
  }

  [[noreturn]] static void needs_value(const option_row& row, std::string_view next = {}) {
    const std::string problem = fmt::format("--{} needs a value: {}", row.name, row.takes);
    if (next.empty()) refuse(problem);
    if (row.kind == value_kind::file) refuse(problem, fmt::format("A file named {0} is ./{0}", printable(next)));
    refuse(fmt::format("{}, and {} is none", problem, printable(next)));
  }

  void check_left_over(const std::vector<std::string>& left_over) const {
    bool options_ended = false;
    for (const std::string& word : left_over) {
      if (!options_ended && word == end_of_options) {
        options_ended = true;
        continue;
      }
      const bool option = !options_ended && word.size() > 1 && word[0] == '-';
      refuse_unknown(option ? "unknown option " : "unexpected word ", word, option);
    }
  }

  [[noreturn]] void refuse_unknown(std::string_view label, std::string_view word, bool option) const {
    std::vector<std::string_view> names;
    for (const option_row& row : table_) names.push_back(row.name);
    const std::string_view spelled = option ? word.substr(0, word.find('=')) : word;
    const std::string_view bare = spelled.substr(std::min(spelled.find_first_not_of('-'), spelled.size()));
    const std::string shown = printable(spelled, max_shown);
    const std::string problem = option ? fmt::format("{}{}", label, shown) : fmt::format("{}'{}'", label, shown);
    const auto near = nearest(bare, names);
    if (!near.empty()) refuse(problem, fmt::format("Did you mean {}?", alternatives(near, "--")));
    refuse(problem, "warpz --help shows the options.");
  }

  std::vector<std::string> words_;
  std::span<const option_row> table_;
};

/// Of an option that is given several times the last one counts. Those that start an action add up: puzzles, files.
std::vector<occurrence> last_of_each(std::vector<occurrence> given) {
  for (auto each = given.begin(); each != given.end();) {
    const bool comes_again =
        std::any_of(each + 1, given.end(), [&](const auto& later) { return later.row == each->row; });
    each = comes_again && !each->row->starts ? given.erase(each) : each + 1;
  }
  return given;
}

/// The option has the value that it would have anyway.
bool is_default(const occurrence& one) {
  return one.row->kind != value_kind::none && one.value == one.row->without.substr(0, one.row->without.find(','));
}

void check_action(std::span<const occurrence> given, const options& command) {
  const option_row* first = nullptr;
  for (const occurrence& one : given) {
    if (!one.row->starts) continue;
    if (first == nullptr) first = one.row;
    if (first->starts != one.row->starts)
      refuse(fmt::format("--{} and --{} cannot be combined", first->name, one.row->name));
  }
  if (first == nullptr) return;
  const bool is_run = command.action == action::run || command.action == action::program;
  for (const occurrence& one : given) {
    // Without a run an option can do no harm, but a script would wait for a file that is not written.
    const bool is_used =
        is_run ? (one.row->used_by & set_of(command.action)) != 0 : !one.row->is_written && one.row->name != "output";
    const bool is_accepted = one.row->starts || is_used || is_default(one);
    if (is_accepted) continue;
    if (one.row->used_by == set_of(action::program))
      refuse(fmt::format("--{} works only with --run FILE", one.row->name));
    refuse(fmt::format("--{} does nothing with --{}", one.row->name, first->name));
  }
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
  const std::pair<std::string_view, bool> sources[] = {{"--input", command.input.has_value()},
                                                       {"--random", command.seed.has_value()},
                                                       {"--pattern", command.pattern.has_value()}};
  std::vector<std::string_view> given;
  for (const auto& [name, is_given] : sources) {
    if (is_given) given.push_back(name);
  }
  if (given.size() > 1) {
    refuse(fmt::format("{} and {} cannot be combined: both choose the data", given[0], given[1]));
  }
  if (command.size && command.shape)
    refuse("--size and --shape cannot be combined: both set how many numbers there are");
  const auto takes_pivot = [](const puzzle* one) { return one->documented_pivot.has_value(); };
  if (command.pivot) check_taken("pivot", command, takes_pivot);
  const auto takes_shape = [](const puzzle* one) { return one->documented_shape.has_value(); };
  if (command.shape) check_taken("shape", command, takes_shape);
}

std::string_view name_of(variant version) { return version == variant::shared ? "shared" : "tuned"; }

/// --all means all that have the variant.
void choose_variant(options& command) {
  const auto lacks_it = [&](const puzzle* one) { return one->kernel_of(command.variant).empty(); };
  if (command.all) std::erase_if(command.puzzles, lacks_it);
  const auto lacking = std::find_if(command.puzzles.begin(), command.puzzles.end(), lacks_it);
  if (lacking == command.puzzles.end()) return;
  std::vector<std::string_view> able;
  for (const puzzle* one : puzzles())
    if (!lacks_it(one)) able.push_back(one->flag);
  const std::string_view kind =
      command.variant == variant::shared ? "kernel that goes through shared memory" : "tuned kernel";
  refuse(fmt::format("--variant {}: --{} has no {}", name_of(command.variant), (*lacking)->flag, kind),
         fmt::format("It works with {}.", alternatives(able, "--")));
}

/// The option has the value that a column of its row names.
bool has_value(const occurrence& one, std::string_view column) {
  return column == any_value ? !is_default(one) : !column.empty() && one.value == column;
}

/// "--quiet", "--color always".
std::string spelling(const occurrence& one, std::string_view column) {
  return fmt::format("--{}{}{}", one.row->name, column == any_value ? "" : " ", column == any_value ? "" : column);
}

/// Refuses with a GPU what only the CPU machine does.
void choose_machine(options& command, std::span<const occurrence> given) {
  const auto one = std::find_if(given.begin(), given.end(),
                                [](const occurrence& each) { return has_value(each, each.row->cpu_value); });
  command.needs_cpu_machine = one != given.end();
  if (one == given.end() || command.backend == backend_choice::automatic || command.backend == backend_choice::cpu) {
    return;
  }
  refuse(fmt::format("{} does nothing with --backend {}: only the CPU machine {}", spelling(*one, one->row->cpu_value),
                     name_of(command.backend), one->row->cpu_does),
         "--backend cpu runs the same kernels there.");
}

void check_kernels(const options& command) {
  if (command.kernel && command.module) refuse("--kernel and --module cannot be combined: both choose the kernels");
  if (command.kernel) {
    if (command.variant != variant::warp) {
      refuse(fmt::format("--variant {} does nothing with --kernel: the file has the one kernel that runs",
                         name_of(command.variant)),
             "If it has several, --entry chooses one.");
    }
    return;
  }
  if (command.entry) refuse("--entry works only with --kernel FILE");
}

/// The options that a suggested command repeats, in the order of the table.
std::string repeated_options(std::span<const option_row> table, std::span<const occurrence> given) {
  std::string words;
  for (const option_row& row : table) {
    const auto one = std::find_if(given.begin(), given.end(), [&](const occurrence& each) { return each.row == &row; });
    if (!row.is_repeated || one == given.end() || is_default(*one)) continue;
    words += fmt::format("{}--{}", words.empty() ? "" : " ", row.name);
    if (row.kind != value_kind::none) words += " " + shell_word(one->value);
  }
  return words;
}

/// Adds the words that are not warpz's own.
void add_program_words(options& command, const program_words& words, std::span<const option_row> table) {
  if (words.has_flags && command.program.empty()) refuse("--cxxflags works only with --run FILE");
  if (words.has_flags && words.flags.empty()) refuse("--cxxflags needs a value: FLAG...");
  const auto store = [&](std::string_view name, const std::vector<std::string>& values) {
    const auto row = std::find_if(table.begin(), table.end(), [name](const auto& each) { return each.name == name; });
    for (const std::string& each : values) row->store(command, *row, each);
  };
  store("run", words.further_files);
  store("cxxflags", words.flags);
  command.program_arguments = words.arguments;
}

/// The trace takes each access of instrumented code.
void check_trace(options& command, std::span<const occurrence> given) {
  if (!command.trace) {
    if (command.action == action::program && command.entry) refuse("with --run, --entry works only with --trace");
    for (const occurrence& one : given) {
      if (command.bench && one.row->name == "trace-file") continue;
      if (one.row->group == option_group::trace) refuse(fmt::format("--{} works only with --trace", one.row->name));
    }
    return;
  }
  if (command.debugger) refuse("--trace and --debugger cannot be combined");
  if (command.check_given && command.settings.check != WARPZ_CHECK_ALL) {
    refuse("--trace needs --check all: it shows each access", "Leave --check out.");
  }
  command.settings.check = WARPZ_CHECK_ALL;
  if (command.format == output_format::json && !command.trace_file) {
    refuse("--trace and --format json cannot both write to standard output", "-o FILE writes the trace elsewhere.");
  }
  choose_trace_format(command);
  if (command.action != action::program) return;
  if (command.output) refuse("--trace does nothing with --output: the program is not run");
  if (*command.trace != trace_format::text && !command.trace_file)
    refuse("with --run, only --trace text goes to standard output, which is the program's",
           "-o FILE writes the trace elsewhere.");
}

/// Counters take each access of instrumented code, as the trace does.
void check_counters(options& command) {
  if (!command.counters) return;
  if (command.debugger) refuse("--counters and --debugger cannot be combined");
  if (command.quiet && command.format == output_format::text)
    refuse("--counters and --quiet cannot be combined", "--format json prints the counts without the table.");
  if (command.check_given && command.settings.check != WARPZ_CHECK_ALL)
    refuse("--counters needs --check all: it counts each access", "Leave --check out.");
  command.settings.check = WARPZ_CHECK_ALL;
}

/// Of what says how a kernel is judged, traced or reported, nothing goes with --bench.
void check_bench(const options& command, std::span<const occurrence> given) {
  if (!command.bench) {
    if (command.csv) refuse("--csv works only with --bench");
    return;
  }
  if (command.both_warp_sizes) refuse("--bench measures one warp size at a time", "--warp-size 32 or 64 says which.");
  if (command.trace_file && !command.trace_file->ends_with(".svg"))
    refuse("--bench draws an SVG picture: -o takes a name that ends with .svg");
  const bool is_latency = command.bench == bench_choice::latency;
  constexpr std::string_view heeded[] = {"bench",   "csv",        "format",       "backend",  "device",
                                         "timeout", "time-limit", "memory-limit", "warp-size"};
  for (const occurrence& one : given) {
    const bool is_of_kernels = one.row->group == option_group::puzzles || one.row->group == option_group::data ||
                               one.row->name == "trace-file";
    if ((is_of_kernels && !is_latency) || is_default(one)) continue;
    if (std::find(std::begin(heeded), std::end(heeded), one.row->name) != std::end(heeded)) continue;
    refuse(fmt::format("--{} does nothing with --bench{}", one.row->name, is_of_kernels ? " latency" : ""));
  }
}

/// Refuses with --debugger what takes several runs. There is no time limit.
void check_debugger(options& command, std::span<const occurrence> given) {
  if (!command.debugger) return;
  if (command.both_warp_sizes) refuse("--warp-size both does nothing with --debugger: the kernel runs once");
  if (command.confine) refuse("--confine does nothing with --debugger: the program runs in this process");
  for (const occurrence& one : given) {
    if (one.row->name.starts_with("schedule") && !is_default(one)) {
      refuse(fmt::format("--{} does nothing with --debugger: the kernel runs once", one.row->name));
    }
  }
  command.settings.timeout_seconds = 0;
  command.settings.time_limit_seconds = 0;
  command.settings.workers = 1;
}

/// Programs run on the CPU machine. With --output there is no run, and nothing that one would write.
/// As --devices lists those of the CPU machine: a device for each warp size.
void choose_device_of_program(options& command) {
  constexpr unsigned warp_sizes[] = {32, 64};
  if (!command.device) return;
  if (*command.device >= std::size(warp_sizes))
    refuse(fmt::format("--device {}: cpu has 2 devices, numbers 0 to 1", *command.device), "--devices lists them.");
  const unsigned warp_size = warp_sizes[*command.device];
  if (command.both_warp_sizes || command.warp_size.value_or(warp_size) != warp_size)
    refuse(fmt::format("--device {} has {} lanes per warp, but --warp-size asks for {}", *command.device, warp_size,
                       command.both_warp_sizes ? "both" : std::to_string(*command.warp_size)));
  command.warp_size = warp_size;
}

void check_program(options& command, std::span<const occurrence> given) {
  if (command.backend == backend_choice::amd || command.backend == backend_choice::nvidia) {
    refuse(fmt::format("--run runs programs on the CPU machine alone, not on {}", name_of(command.backend)),
           "hipcc compiles them for a GPU.");
  }
  choose_device_of_program(command);
  if (!command.output) return;
  if (command.counters) refuse("--counters does nothing with --output: the program is not run");
  if (!command.program_arguments.empty()) refuse("--output does not run the program: it has no arguments");
  for (const occurrence& one : given) {
    if (!one.row->is_written) continue;
    refuse(fmt::format("--{} does nothing with --output: the program is not run", one.row->name),
           "Give it with --run of the file that --output writes.");
  }
}

// Help and version win over all other options.
std::optional<action> answered_at_once(std::span<const occurrence> given) {
  for (const action which : {action::help, action::version})
    for (const occurrence& one : given)
      if (one.row->starts == which) return which;
  return {};
}

}  // namespace

options parse(int count, const char* const* arguments) {
  const std::vector<option_row> table = option_table();
  const program_words words = split_program_words(count > 1 ? std::vector<std::string>(arguments + 1, arguments + count)
                                                            : std::vector<std::string>());
  command_line line(words.own, table);
  const std::vector<occurrence> given = last_of_each(line.split());

  options command;
  if (const auto at_once = answered_at_once(given)) {
    command.action = *at_once;
    if (asks_for_json(count, arguments)) command.format = output_format::json;
    return command;
  }
  bool started = false;
  for (const auto& [row, value] : given) {
    if (row->store != nullptr) row->store(command, *row, value);
    if (row->starts && !std::exchange(started, true)) command.action = *row->starts;
  }
  command.repeated = repeated_options(table, given);
  add_program_words(command, words, table);
  // It measures no puzzle.
  if (command.bench == bench_choice::latency && !std::exchange(started, true)) command.action = action::run;
  command.puzzles_of_kernel = command.kernel && (command.all || !started);
  command.nothing_asked = !started && !command.puzzles_of_kernel;
  if (command.nothing_asked) return command;
  if (command.puzzles_of_kernel) command.action = action::run;
  check_action(given, command);
  if (command.all || command.puzzles_of_kernel) command.puzzles.assign(puzzles().begin(), puzzles().end());
  if (!command.check_given && (command.kernel || command.action == action::program))
    command.settings.check = WARPZ_CHECK_ALL;
  constexpr double time_limit_of_kernels = 60;
  if (!command.time_limit_given && command.kernel) command.settings.time_limit_seconds = time_limit_of_kernels;
  check_debugger(command, given);
  check_counters(command);
  if (command.action == action::program) check_program(command, given);
  if (command.action == action::run) {
    check_kernels(command);
    choose_machine(command, given);
    choose_variant(command);
    check_data(command);
    check_bench(command, given);
  }
  if (command.action == action::run || command.action == action::program) check_trace(command, given);
  check_written_files(command);
  return command;
}

bool asks_for_json(int count, const char* const* arguments) {
  bool asks = false;
  for (int i = 1; i < count && arguments[i] != end_of_options; ++i) {
    const std::string_view word = arguments[i];
    if (word == "--format") asks = i + 1 < count && arguments[i + 1] == std::string_view("json");
    if (word.starts_with("--format=")) asks = word == "--format=json";
  }
  return asks;
}

}  // namespace warpz

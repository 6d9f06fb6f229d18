// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/option_table.hpp"

#include <type_traits>

#include "cli/values.hpp"
#include "input/size_limit.hpp"
#include "puzzle/patterns.hpp"

namespace warpz {
namespace {

constexpr unsigned a_run = set_of(action::run);
constexpr unsigned a_program = set_of(action::program);
constexpr unsigned a_compilation = a_run | a_program;
constexpr std::uint64_t largest_seed = ~std::uint64_t{0};
constexpr std::string_view standard_input = "-";
constexpr std::uint64_t max_device_number = 1024;
constexpr std::uint64_t max_schedules = 10000;
constexpr std::uint64_t max_findings_limit = 256;
constexpr std::uint64_t max_block_number = ~std::uint64_t{0} >> 1;
constexpr std::uint64_t max_warp_number = 31;
constexpr std::uint64_t max_mebibytes = std::uint64_t{1} << 30;

template <bool options::*Field>
void set_flag(options& command, const option_row&, std::string_view) {
  command.*Field = true;
}

template <std::optional<std::string> options::*Field>
void set_file(options& command, const option_row& row, std::string_view value) {
  command.*Field = file_name(row, value);
}

void add_program_flag(options& command, const option_row& row, std::string_view value) {
  command.program_flags.push_back(word(row, value));
}

void add_program_file(options& command, const option_row& row, std::string_view value) {
  command.program.push_back(file_name(row, value));
}

template <std::optional<std::string> options::*Field>
void set_word(options& command, const option_row& row, std::string_view value) {
  command.*Field = word(row, value);
}

void set_input(options& command, const option_row& row, std::string_view value) {
  command.input = value == standard_input ? std::string(value) : file_name(row, value);
}

// The enumerators are in the order of the row's choices.
template <auto Field>
void set_choice(options& command, const option_row& row, std::string_view value) {
  using choice = std::remove_reference_t<decltype(command.*Field)>;
  command.*Field = static_cast<choice>(choice_index(row, value));
}

void add_puzzle(options& command, const option_row& row, std::string_view) {
  command.puzzles.push_back(find_puzzle(row.name));
}

void set_size(options& command, const option_row& row, std::string_view value) {
  command.size = whole_number(row, value, 1, max_elements);
}

void set_seed(options& command, const option_row& row, std::string_view value) {
  command.seed = whole_number(row, value, 0, largest_seed);
}

void set_pattern(options& command, const option_row& row, std::string_view value) {
  command.pattern = patterns()[choice_index(row, value)].name;
}

void set_pivot(options& command, const option_row& row, std::string_view value) { command.pivot = number(row, value); }

void set_shape(options& command, const option_row& row, std::string_view value) { command.shape = shape(row, value); }

void set_warp_size(options& command, const option_row& row, std::string_view value) {
  constexpr std::size_t both = 2;
  const std::size_t choice = choice_index(row, value);
  command.both_warp_sizes = choice == both;
  command.warp_size.reset();
  if (choice != both) command.warp_size = choice == 0 ? 32 : 64;
}

void set_device(options& command, const option_row& row, std::string_view value) {
  command.device = static_cast<std::uint32_t>(whole_number(row, value, 0, max_device_number - 1));
}

template <std::uint32_t warpz_settings::*Field>
void set_setting(options& command, const option_row& row, std::string_view value) {
  command.settings.*Field = static_cast<std::uint32_t>(choice_index(row, value));
}

void set_leaks(options& command, const option_row& row, std::string_view value) {
  command.leaks = static_cast<leak_rule>(choice_index(row, value));
}

void set_check(options& command, const option_row& row, std::string_view value) {
  set_setting<&warpz_settings::check>(command, row, value);
  command.check_given = true;
}

void set_schedules(options& command, const option_row& row, std::string_view value) {
  command.schedules = static_cast<std::uint32_t>(whole_number(row, value, 0, max_schedules));
}

void set_schedule_seed(options& command, const option_row& row, std::string_view value) {
  command.schedule_seed = whole_number(row, value, 1, largest_seed - max_schedules);
}

void set_findings_limit(options& command, const option_row& row, std::string_view value) {
  command.findings_limit = whole_number(row, value, 1, max_findings_limit);
}

template <std::uint64_t process_limits::*Field>
void set_limit(options& command, const option_row& row, std::string_view value) {
  command.limits.*Field = whole_number(row, value, 1, max_mebibytes) << 20;
}

template <auto Field>
void set_optional_choice(options& command, const option_row& row, std::string_view value) {
  using choice = typename std::remove_reference_t<decltype(command.*Field)>::value_type;
  command.*Field = static_cast<choice>(choice_index(row, value));
}

void set_traced_lanes(options& command, const option_row& row, std::string_view value) {
  command.traced_lanes = lane_set(row, value);
}

void set_traced_steps(options& command, const option_row& row, std::string_view value) {
  command.traced_steps = steps(row, value);
}

void set_traced_block(options& command, const option_row& row, std::string_view value) {
  command.traced_block = whole_number(row, value, 0, max_block_number);
}

void set_traced_warp(options& command, const option_row& row, std::string_view value) {
  command.traced_warp = static_cast<std::uint32_t>(whole_number(row, value, 0, max_warp_number));
}

constexpr double least_seconds = 0.001, most_seconds = 86400;

void set_timeout(options& command, const option_row& row, std::string_view value) {
  command.settings.timeout_seconds = seconds(row, value, least_seconds, most_seconds);
}

void set_time_limit(options& command, const option_row& row, std::string_view value) {
  command.settings.time_limit_seconds = seconds(row, value, least_seconds, most_seconds);
  command.time_limit_given = true;
}

constexpr option_row fixed_rows[] = {
    {.name = "all",
     .help = "all of them, in this order",
     .group = option_group::puzzles,
     .starts = action::run,
     .store = set_flag<&options::all>},

    {.name = "size",
     .kind = value_kind::text,
     .takes = "N",
     .help = "run on N elements, or on the first N of --input",
     .without = "the puzzle's own, or the whole file",
     .group = option_group::data,
     .used_by = a_run,
     .store = set_size},
    {.name = "input",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "run on the numbers in FILE, separated by blanks, commas or lines, or in a .npy file (1-D, float32 or "
             "float64); - is standard input",
     .without = "the puzzle's own",
     .group = option_group::data,
     .used_by = a_run,
     .store = set_input},
    {.name = "random",
     .kind = value_kind::text,
     .takes = "SEED",
     .help = "run on random numbers, the same for the same seed",
     .group = option_group::data,
     .used_by = a_run,
     .store = set_seed},
    {.name = "pattern",
     .kind = value_kind::choice,
     .takes = "whole|negative|equal|opposite|zeros|thirds|large|infinite|nan",
     .help = "run on numbers of this kind; whole: small whole numbers, whose sums do not round",
     .group = option_group::data,
     .used_by = a_run,
     .store = set_pattern},
    {.name = "pivot",
     .kind = value_kind::text,
     .takes = "V",
     .help = "the number to compare with, where a puzzle takes one",
     .without = "the puzzle's own",
     .group = option_group::data,
     .used_by = a_run,
     .store = set_pivot},
    {.name = "shape",
     .kind = value_kind::text,
     .takes = "MxNxK",
     .help = "multiply M x K by K x N numbers, where a puzzle multiplies matrices",
     .without = "the puzzle's own, or squares for --size and --input",
     .group = option_group::data,
     .used_by = a_run,
     .store = set_shape},

    {.name = "kernel",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "compile the kernel in this HIP file and run it: confined on the CPU, on a GPU with your rights; of a "
             "folder, each puzzle's own file",
     .without = "the built-in kernels",
     .group = option_group::kernel,
     .used_by = a_run,
     .is_repeated = true,
     .store = set_file<&options::kernel>},
    {.name = "entry",
     .kind = value_kind::text,
     .takes = "NAME",
     .help = "the kernel's name in that file; with --run, whose first launch --trace shows",
     .without = "the one that takes the puzzle's arguments",
     .group = option_group::kernel,
     .used_by = a_compilation,
     .is_repeated = true,
     .store = set_word<&options::entry>},
    {.name = "documented-only",
     .help = "judge it on the documented input alone, not also on other sizes, numbers, orders and warp sizes",
     .group = option_group::kernel,
     .used_by = a_run,
     .is_repeated = true,
     .store = set_flag<&options::documented_only>},
    {.name = "compiler",
     .kind = value_kind::file,
     .takes = "PROGRAM",
     .help = "the compiler of such a file for the CPU",
     .without = "$WARPZ_CXX, or clang++, or g++",
     .group = option_group::kernel,
     .used_by = a_compilation,
     .is_repeated = true,
     .store = set_file<&options::compiler>},
    {.name = "no-cache",
     .help = "compile such a file even if it was compiled before",
     .group = option_group::kernel,
     .used_by = a_compilation,
     .is_repeated = true,
     .store = set_flag<&options::no_cache>},
    {.name = "debugger",
     .help = "run in this process, for gdb: unoptimized, once, one block at a time, without a time limit",
     .group = option_group::kernel,
     .used_by = a_compilation,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = "runs kernels in this process",
     .store = set_flag<&options::debugger>},
    {.name = "run",
     .kind = value_kind::file,
     .takes = "FILE...",
     .help = "compile the HIP program in these files and run it on the CPU, checked, with your rights; the words after "
             "-- are its arguments",
     .group = option_group::kernel,
     .starts = action::program,
     .store = add_program_file},
    {.name = "cxxflags",
     .kind = value_kind::text,
     .takes = "FLAG...",
     .help = "options for that program's compiler: all words up to --",
     .group = option_group::kernel,
     .used_by = a_program,
     .store = add_program_flag},
    {.name = "output",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "compile that program to FILE without running it; --run takes FILE, too",
     .group = option_group::kernel,
     .used_by = a_program,
     .store = set_file<&options::output>},
    {.name = "confine",
     .help = "let that program write to nothing but what is open, read only its folder, and reach no other process",
     .group = option_group::kernel,
     .used_by = a_program,
     .is_repeated = true,
     .store = set_flag<&options::confine>},
    {.name = "module",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "take the kernels from this shared object",
     .without = "the built-in kernels",
     .group = option_group::kernel,
     .used_by = a_run,
     .is_repeated = true,
     .store = set_file<&options::module>},

    {.name = "backend",
     .kind = value_kind::choice,
     .takes = "auto|cpu|amd|nvidia",
     .help = "where the kernels run",
     .without = "auto",
     .group = option_group::device,
     .used_by = a_compilation,
     .store = set_choice<&options::backend>},
    {.name = "device",
     .kind = value_kind::text,
     .takes = "N",
     .help = "the number of the backend's device, as in --devices",
     .without = "the first that fits",
     .group = option_group::device,
     .used_by = a_run,
     .store = set_device},
    {.name = "warp-size",
     .kind = value_kind::choice,
     .takes = "32|64|both",
     .help = "lanes per warp on the CPU; both: run with each, and compare",
     .without = "32",
     .group = option_group::device,
     .used_by = a_compilation,
     .cpu_value = "both",
     .cpu_does = "has both",
     .store = set_warp_size},
    {.name = "timeout",
     .kind = value_kind::text,
     .takes = "SECONDS",
     .help = "stop a kernel that makes no progress for this long",
     .without = "10",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_repeated = true,
     .store = set_timeout},
    {.name = "time-limit",
     .kind = value_kind::text,
     .takes = "SECONDS",
     .help = "stop a launch that takes longer than this, even if it makes progress",
     .without = "60 with --kernel, otherwise none",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_repeated = true,
     .store = set_time_limit},
    {.name = "memory-limit",
     .kind = value_kind::text,
     .takes = "MIB",
     .help = "stop a kernel or a program that uses more memory than this, in MiB",
     .without = "nine tenths of the free memory",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_repeated = true,
     .store = set_limit<&process_limits::memory_bytes>},
    {.name = "output-limit",
     .kind = value_kind::text,
     .takes = "MIB",
     .help = "stop a kernel or a program that prints more than this, in MiB; a program's output to a terminal does not "
             "count",
     .without = "1024",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_repeated = true,
     .store = set_limit<&process_limits::output_bytes>},
    {.name = "check",
     .kind = value_kind::choice,
     .takes = "off|collectives|all",
     .help = "what the CPU machine checks besides the result; all: each memory access, too",
     .without = "collectives; all with --kernel and --run",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = "checks",
     .store = set_check},
    {.name = "counters",
     .help = "count what each line costs a GPU: bank conflicts, transactions, idle lanes, collectives, barriers, "
             "atomics; 32 lanes: NVIDIA's rules, 64 lanes: AMD's",
     .group = option_group::device,
     .used_by = a_compilation,
     .cpu_value = any_value,
     .cpu_does = "counts",
     .store = set_flag<&options::counters>},
    {.name = "schedules",
     .kind = value_kind::text,
     .takes = "N",
     .help = "also run in N other orders of lanes, warps and blocks, and in larger blocks where __launch_bounds__ "
             "allows them, and compare the results; with --run: the output and the exit code",
     .without = "0, or 1 with --schedule-seed",
     .group = option_group::device,
     .used_by = a_compilation,
     .cpu_value = any_value,
     .cpu_does = "chooses an order",
     .store = set_schedules},
    {.name = "schedule-seed",
     .kind = value_kind::text,
     .takes = "SEED",
     .help = "the seed of the first of these orders; the others have the next numbers",
     .without = "from 1 on, with --schedules",
     .group = option_group::device,
     .used_by = a_compilation,
     .cpu_value = any_value,
     .cpu_does = "chooses an order",
     .store = set_schedule_seed},
    {.name = "rules",
     .kind = value_kind::choice,
     .takes = "portable|amd|nvidia",
     .help = "whose rules the operations of a warp follow; portable: right on both",
     .without = "portable",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = "checks",
     .store = set_setting<&warpz_settings::rules>},
    {.name = "leaks",
     .kind = value_kind::choice,
     .takes = "error|warn|off",
     .help = "what it is if a program never frees memory of the GPU; warn: a warning, which fails nothing",
     .without = "warn",
     .group = option_group::device,
     .used_by = a_program,
     .is_repeated = true,
     .store = set_leaks},
    {.name = "findings-limit",
     .kind = value_kind::text,
     .takes = "N",
     .help = "report at most N places, and count the others",
     .without = "15",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = "checks",
     .store = set_findings_limit},
    {.name = "suppress",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "ignore the findings listed in FILE",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = "checks",
     .store = set_file<&options::suppress>},
    {.name = "baseline",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write the findings of this run to FILE; once it is there, only new ones fail",
     .group = option_group::device,
     .used_by = a_compilation,
     .is_written = true,
     .is_repeated = true,
     .cpu_value = any_value,
     .cpu_does = "checks",
     .store = set_file<&options::baseline>},
    {.name = "variant",
     .kind = value_kind::choice,
     .takes = "warp|shared|tuned",
     .help =
         "which kernel of a puzzle; shared: the traditional way through shared memory; tuned: as fast as the memory",
     .without = "warp",
     .group = option_group::device,
     .used_by = a_run,
     .is_repeated = true,
     .store = set_choice<&options::variant>},

    {.name = "trace",
     .kind = value_kind::choice,
     .takes = "auto|text|svg|html|json",
     .implied = "auto",
     .help = "show step by step what the lanes of a block do: values, and who gets them from whom; of a program, in "
             "its first "
             "launch; auto: by the ending of --trace-file, or text",
     .group = option_group::trace,
     .used_by = a_compilation,
     .cpu_value = any_value,
     .cpu_does = "sees the lanes",
     .store = set_optional_choice<&options::trace>},
    {.name = "trace-file",
     .letter = 'o',
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write the trace to FILE",
     .without = "standard output",
     .group = option_group::trace,
     .used_by = a_compilation,
     .is_written = true,
     .store = set_file<&options::trace_file>},
    {.name = "lanes",
     .kind = value_kind::text,
     .takes = "LANES",
     .help = "show only these lanes of each warp, such as 0-7 or 0,16,31",
     .without = "all",
     .group = option_group::trace,
     .used_by = a_compilation,
     .store = set_traced_lanes},
    {.name = "steps",
     .kind = value_kind::text,
     .takes = "STEPS",
     .help = "show only these steps, such as 1-40",
     .without = "all",
     .group = option_group::trace,
     .used_by = a_compilation,
     .store = set_traced_steps},
    {.name = "block",
     .kind = value_kind::text,
     .takes = "N",
     .help = "trace block N of the grid",
     .without = "0",
     .group = option_group::trace,
     .used_by = a_compilation,
     .store = set_traced_block},
    {.name = "warp",
     .kind = value_kind::text,
     .takes = "N",
     .help = "trace only warp N of that block",
     .without = "all its warps",
     .group = option_group::trace,
     .used_by = a_compilation,
     .store = set_traced_warp},

    {.name = "full",
     .help = "print lists of more than 1,024 elements in full",
     .group = option_group::output,
     .used_by = a_compilation,
     .store = set_flag<&options::full>},
    {.name = "quiet",
     .help = "print only the last line of each puzzle; of a program's findings, only how many there are",
     .group = option_group::output,
     .used_by = a_compilation,
     .store = set_flag<&options::quiet>},
    {.name = "emoji",
     .help = "print ✅ and ❌ for OK and FAIL",
     .group = option_group::output,
     .used_by = a_compilation,
     .store = set_flag<&options::emoji>},
    {.name = "format",
     .kind = value_kind::choice,
     .takes = "text|json",
     .help = "how results are printed",
     .without = "text",
     .group = option_group::output,
     .used_by = a_compilation,
     .store = set_choice<&options::format>},
    {.name = "junit",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write the results to FILE too, as JUnit XML",
     .group = option_group::output,
     .used_by = a_compilation,
     .is_written = true,
     .store = set_file<&options::junit>},
    {.name = "sarif",
     .kind = value_kind::file,
     .takes = "FILE",
     .help = "write the findings to FILE too, as SARIF 2.1.0",
     .group = option_group::output,
     .used_by = a_compilation,
     .is_written = true,
     .store = set_file<&options::sarif>},
    {.name = "color",
     .kind = value_kind::choice,
     .takes = "auto|always|never",
     .help = "auto: colors on a terminal, unless NO_COLOR is set",
     .without = "auto",
     .group = option_group::output,
     .used_by = a_compilation,
     .store = set_choice<&options::color>},

    {.name = "list", .help = "print the puzzles' flags, titles and kernels", .starts = action::list},
    {.name = "devices", .help = "print the devices that kernels can run on", .starts = action::devices},
    {.name = "completion",
     .kind = value_kind::choice,
     .takes = "bash|zsh|fish",
     .help = "print a script that completes options in this shell",
     .starts = action::completion,
     .store = set_choice<&options::completion_shell>},
    {.name = "version", .help = "print the version", .starts = action::version},
    {.name = "help", .letter = 'h', .help = "print this text", .starts = action::help},
};

}  // namespace

std::string_view title(option_group group) {
  switch (group) {
    case option_group::puzzles:
      return "Puzzles, run in the order given";
    case option_group::data:
      return "Data";
    case option_group::device:
      return "Device";
    case option_group::kernel:
      return "Kernels of your own";
    case option_group::trace:
      return "Trace";
    case option_group::output:
      return "Output";
    case option_group::information:
      return "Information";
  }
  return {};
}

std::vector<option_row> option_table() {
  std::vector<option_row> rows;
  for (const puzzle* one : puzzles())
    rows.push_back({.name = one->flag,
                    .help = one->summary,
                    .group = option_group::puzzles,
                    .starts = action::run,
                    .store = add_puzzle});
  rows.insert(rows.end(), std::begin(fixed_rows), std::end(fixed_rows));
  return rows;
}

std::vector<std::string_view> choices(const option_row& row) {
  std::vector<std::string_view> words;
  if (row.kind != value_kind::choice) return words;
  for (std::string_view rest = row.takes;;) {
    const std::size_t bar = rest.find('|');
    words.push_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) return words;
    rest.remove_prefix(bar + 1);
  }
}

}  // namespace warpz

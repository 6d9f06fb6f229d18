// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line as values.
//
// Owns the options and every complaint about them. It refuses options that would be ignored or contradict each other.
// It opens no file and knows no device: whether a file can be read or a backend works shows later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/settings.h"
#include "process/process_limits.hpp"
#include "puzzle/puzzle.hpp"
#include "run/leaks.hpp"
#include "run/vendors.hpp"

namespace warpz {

/// What warpz does. `benchmark` and `latency` are the two choices of --bench.
enum class action { run, benchmark, latency, program, list, devices, help, version, completion, toolchain_file };

// The choices of an option, in the order in which the option table has them.
enum class output_format { text, json };
enum class color_choice { automatic, always, never };
enum class shell { bash, zsh, fish };
enum class bench_choice { kernels, latency };
enum class trace_format { automatic, text, svg, html, json, png, gif, animation, perfetto };

/// Steps of a trace, by their numbers from 1 on.
struct step_range {
  std::uint64_t first = 1;
  std::uint64_t last = 1;

  bool operator==(const step_range&) const = default;
};

/// The numbers that puzzles run on.
struct data_options {
  std::optional<std::size_t> size;
  std::optional<std::string> input;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> pattern;
  std::optional<float> pivot;  ///< may be infinite, never a NaN
  std::optional<matrix_shape> shape;
  std::uint32_t launches = 1;  ///< of a kernel, of which the last one is judged

  bool operator==(const data_options&) const = default;
};

/// Where the code runs.
struct device_options {
  backend_choice backend = backend_choice::automatic;
  std::optional<std::uint32_t> number;
  std::uint32_t gpus = 1;  ///< that divide an array among themselves; 0: all that there are
  std::optional<unsigned> warp_size;
  bool both_warp_sizes = false;    ///< one run with 32 lanes and one with 64; warp_size is empty then
  bool compared_with_cpu = false;  ///< each kernel runs on the CPU machine as well, as a device of the backend's kind
  bool needs_cpu_machine = false;  ///< an option was given that only the CPU machine heeds

  bool operator==(const device_options&) const = default;
};

/// The kernels of a puzzle, and how code is compiled, be it a kernel's or a program's.
struct kernel_options {
  std::optional<std::string> file;     ///< --kernel
  std::optional<std::string> module;   ///< instead of a file
  std::optional<std::string> entry;    ///< a kernel of the file, or of a program that is traced
  std::optional<std::string> puzzles;  ///< a folder of puzzles of one's own; main has made them known
  warpz::variant variant = warpz::variant::warp;
  bool documented_only = false;  ///< no hidden cases
  bool own_includes = false;     ///< the file includes none from outside of its folder
  std::optional<std::string> compiler;
  bool no_cache = false;
  bool debugger = false;  ///< the code runs in this process, once and without a time limit

  bool operator==(const kernel_options&) const = default;
};

/// A whole program: with action::program alone.
struct program_options {
  std::vector<std::string> files;
  std::vector<std::string> flags;       ///< for its compiler
  std::optional<std::string> commands;  ///< the compile_commands.json that has its files, or none
  std::vector<std::string> arguments;   ///< for its main
  std::optional<std::string> output;    ///< where it is compiled to, instead of being run
  bool confine = false;                 ///< it runs in a sandbox
  std::string architecture;             ///< the GPU that it sees itself on; empty: one with as many lanes
  unsigned rocm = 0;                    ///< ROCm's version whose interface it sees; 0: what all versions share
  leak_rule leaks = leak_rule::warn;

  bool operator==(const program_options&) const = default;
};

/// How the code runs, and what is checked and counted.
struct machine_options {
  warpz_settings settings = warpz_default_settings;
  bool check_given = false;       ///< else settings.check is all for a user's file, and collectives for others
  bool timeout_given = false;     ///< else the time limit of a user's kernel may be the shorter one
  bool time_limit_given = false;  ///< else settings.time_limit_seconds is 60 for a user's kernel, and 0 for others
  process_limits limits;
  std::optional<std::uint32_t> schedules;      ///< how many other orders are tried
  std::optional<std::uint64_t> schedule_seed;  ///< the seed of the first order
  bool counters = false;

  bool operator==(const machine_options&) const = default;
};

/// Which findings are reported, and which of them fail the run.
struct finding_options {
  std::size_t limit = 15;
  std::optional<std::string> suppress;
  std::optional<std::string> baseline;

  bool operator==(const finding_options&) const = default;
};

struct trace_options {
  std::optional<trace_format> format;       ///< nothing: no lanes are traced, and the others mean nothing
  std::optional<std::string> file;          ///< nothing: standard output. Of a benchmark: the roofline's
  std::uint64_t lanes = ~std::uint64_t{0};  ///< that are shown
  std::optional<step_range> steps;          ///< that are shown; nothing: all
  std::optional<std::uint64_t> block;       ///< its number in the grid
  std::optional<std::uint32_t> warp;        ///< its number in the block; nothing: all warps
  std::optional<std::uint32_t> launch;      ///< which launch of a program; nothing: the first that has the block

  bool operator==(const trace_options&) const = default;
};

struct output_options {
  bool full = false;
  bool quiet = false;
  bool emoji = false;
  output_format format = output_format::text;
  std::optional<std::string> junit;
  std::optional<std::string> sarif;
  std::optional<std::string> csv;
  color_choice color = color_choice::automatic;

  bool operator==(const output_options&) const = default;
};

/// A new option is a field of one of the groups and a row of the table (option_table.hpp).
struct options {
  warpz::action action = warpz::action::help;
  bool nothing_asked = false;  ///< the help is shown because no puzzle was named: not a success

  std::vector<const puzzle*> puzzles;  ///< in the order given, as often as given; each once with --all
  bool all = false;
  /// The puzzles are those whose kernels' names the kernel's file has: with --all, or where none is named.
  bool puzzles_of_kernel = false;
  std::optional<bench_choice> bench;

  data_options data;
  device_options device;
  kernel_options kernel;
  program_options program;
  machine_options machine;
  finding_options findings;
  trace_options trace;
  output_options output;

  shell completion_shell = shell::bash;  ///< for action::completion
  std::string repeated;                  ///< the options that a suggested command repeats, as shell words

  bool operator==(const options&) const = default;
};

/// Reads the command line; arguments[0] is the program. Throws an error (bad_input) that names the word and, where
/// there is one, the nearest right one. --help and --version win over everything that is an option at all.
options parse(int count, const char* const* arguments);

/// Whether --format json is among the words, understood or not: then what is wrong with them is reported as JSON, too.
bool asks_for_json(int count, const char* const* arguments);

}  // namespace warpz

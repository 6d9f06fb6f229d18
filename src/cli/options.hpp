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

enum class action { run, program, list, devices, help, version, completion };

// The choices of an option, in the order in which the option table has them.
enum class output_format { text, json };
enum class color_choice { automatic, always, never };
enum class shell { bash, zsh, fish };
/// What --bench measures: the puzzles' kernels, or the device library's operations.
enum class bench_choice { kernels, latency };
/// Steps of a trace, by their numbers from 1 on.
struct step_range {
  std::uint64_t first = 1;
  std::uint64_t last = 1;

  bool operator==(const step_range&) const = default;
};

enum class trace_format { automatic, text, svg, html, json, png, gif, animation, perfetto };

/// A new option is a field here and a row in option_table.cpp.
struct options {
  warpz::action action = warpz::action::help;
  bool nothing_asked = false;  ///< the help is shown because no puzzle was named: not a success

  std::vector<const puzzle*> puzzles;  ///< in the order given, as often as given; each once with --all
  bool all = false;
  bool puzzles_of_kernel =
      false;  ///< of these, the ones whose kernel's name the kernel's file has: with --all, or none

  std::optional<std::size_t> size;
  std::optional<std::string> input;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> pattern;
  warpz::variant variant = warpz::variant::warp;
  std::optional<bench_choice> bench;
  std::optional<std::string> csv;  ///< only with bench
  std::optional<float> pivot;      ///< may be infinite, never a NaN
  std::optional<matrix_shape> shape;

  backend_choice backend = backend_choice::automatic;
  std::optional<std::uint32_t> device;
  std::optional<unsigned> warp_size;
  bool both_warp_sizes = false;  ///< one run with 32 lanes and one with 64; no warp_size then
  std::optional<std::string> module;
  std::optional<std::string> kernel;
  std::optional<std::string> entry;                  ///< only with a kernel, or a program that is traced
  std::optional<std::string> compiler;               ///< only with a kernel
  bool documented_only = false;                      ///< only with a kernel: no hidden cases
  bool no_cache = false;                             ///< only with a kernel
  std::vector<std::string> program;                  ///< the files of action::program; else empty, as the next two
  std::vector<std::string> program_flags;            ///< for its compiler
  std::vector<std::string> program_arguments;        ///< for its main
  std::optional<std::string> output;                 ///< where it is compiled to, instead of being run
  bool confine = false;                              ///< the program reaches nothing outside; --kernel's always
  warpz_settings settings = warpz_default_settings;  ///< the machine's
  bool debugger = false;                             ///< the kernels run in this process, once and without a time limit
  bool check_given = false;       ///< else settings.check is all for a user's file, and collectives for others
  bool time_limit_given = false;  ///< else settings.time_limit_seconds is 60 for a user's kernel, and 0 for others
  process_limits limits;
  leak_rule leaks = leak_rule::warn;           ///< of a program
  std::optional<std::uint32_t> schedules;      ///< how many other orders are tried
  std::optional<std::uint64_t> schedule_seed;  ///< of the first of them
  std::size_t findings_limit = 15;
  std::optional<std::string> suppress;
  std::optional<std::string> baseline;

  bool full = false;
  bool quiet = false;
  bool emoji = false;
  output_format format = output_format::text;
  std::optional<std::string> junit;
  std::optional<std::string> sarif;
  color_choice color = color_choice::automatic;

  bool counters = false;  ///< what each line costs a GPU is counted

  std::optional<trace_format> trace;               ///< nothing: no lanes are traced, and the next six say nothing
  std::optional<std::string> trace_file;           ///< nothing: standard output; with bench: of the roofline
  std::uint64_t traced_lanes = ~std::uint64_t{0};  ///< that are shown
  std::optional<step_range> traced_steps;          ///< that are shown; nothing: all
  std::optional<std::uint64_t> traced_block;       ///< its number in the grid
  std::optional<std::uint32_t> traced_warp;        ///< its number in the block; nothing: all warps
  std::optional<std::uint32_t> traced_launch;      ///< of a program; nothing: the first that has the block

  shell completion_shell = shell::bash;  ///< of action::completion

  bool needs_cpu_machine = false;  ///< an option was given that only the CPU machine heeds
  std::string repeated;            ///< the options that a suggested command repeats, as shell words

  bool operator==(const options&) const = default;
};

/// Reads the command line; arguments[0] is the program. Throws an error (bad_input) that names the word and, where
/// there is one, the nearest right one. --help and --version win over everything that is an option at all.
options parse(int count, const char* const* arguments);

/// Whether --format json is among the words, understood or not: then what is wrong with them is told in JSON as well.
bool asks_for_json(int count, const char* const* arguments);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of options: parser, help and completion read it, and a test holds the README to it.
//
// A row says what an option takes, which actions use it, and what it cannot be combined with. The puzzles' flags come
// first, from the registry; the other rows are in one file for each group: data_rows.cpp, kernel_rows.cpp and so on.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/options.hpp"

namespace warpz {

/// The parts of the help, in its order.
enum class option_group { puzzles, data, device, kernel, trace, output, information };
std::string_view title(option_group group);
inline constexpr option_group option_groups[] = {option_group::puzzles,    option_group::data,  option_group::device,
                                                 option_group::kernel,     option_group::trace, option_group::output,
                                                 option_group::information};

/// `files`: one or more words. `rest`: all words up to `--`, whatever they look like.
enum class value_kind { none, text, choice, file, files, rest };

/// A set of actions.
constexpr unsigned set_of(action one) { return 1u << static_cast<unsigned>(one); }
inline constexpr unsigned with_run = set_of(action::run);
inline constexpr unsigned with_program = set_of(action::program);
inline constexpr unsigned with_code = with_run | with_program;
inline constexpr unsigned with_benchmark = set_of(action::benchmark);
inline constexpr unsigned with_any_bench = with_benchmark | set_of(action::latency);

/// Any but the default.
inline constexpr std::string_view any_value = "*";

/// Another option that a row's is in conflict with.
struct conflict {
  std::string_view option;  ///< the other one's name
  std::string_view value = any_value;
  std::string_view row_value = any_value;
  std::string_view reason = {};  ///< follows a colon; empty: it goes without saying
  std::string_view advice = {};
  /// No conflict where this option is given, if need be with this value.
  std::string_view unless = {}, unless_value = any_value;
};

/// What the CPU machine does with an option about findings.
inline constexpr std::string_view cpu_checks = "checks";

struct option_row {
  std::string_view name;  ///< without the dashes
  char letter = 0;        ///< the short form; 0: none
  value_kind kind = value_kind::none;
  std::string_view takes = {};    ///< stands for the value: "FILE"; of a choice all of them: "text|json"
  std::string_view implied = {};  ///< the value where none follows the option; empty: one has to
  std::string_view help = {};
  std::string_view without = {};  ///< what holds without the option, up to a comma; empty: nothing to say
  option_group group = option_group::information;
  std::optional<action> starts = {};                 ///< the action asked for by this option
  unsigned used_by = 0;                              ///< the actions that use it, beside the one that it starts
  std::string_view needs = {};                       ///< options of which one has to be given, too: "trace|bench"
  std::span<const conflict> excludes = {};           ///< with these it is a contradiction
  std::span<const conflict> does_nothing_with = {};  ///< with these it would be ignored
  bool reads_standard_input = false;                 ///< from a file called `-`
  bool is_written = false;                           ///< its file is missed where none is written
  bool is_repeated = false;                          ///< by a suggested command
  std::string_view cpu_value = {};                   ///< the value that only the CPU machine heeds
  std::string_view cpu_does = {};                    ///< what only the CPU machine does: "checks"
  /// Puts the value (empty of a flag) into the options, or throws an error (bad_input). Null: nothing beside the
  /// action.
  void (*store)(options& command, const option_row& row, std::string_view value) = nullptr;
};

/// An option that was given.
struct given_option {
  const option_row* row;
  std::vector<std::string> values;  ///< that were stored

  /// The last one; empty of a flag.
  std::string_view value() const { return values.empty() ? std::string_view() : values.back(); }
};

/// All options.
std::vector<option_row> option_table();

/// The choices in `takes`.
std::vector<std::string_view> choices(const option_row& row);

/// The option that is spelled so: `--size`, `-o`. Null: there is none.
const option_row* find_option(std::span<const option_row> table, std::string_view word);

/// The words that bars separate: of `takes` and `needs`.
std::vector<std::string_view> split_at_bars(std::string_view text);

extern const std::span<const option_row> data_rows, kernel_rows, device_rows, trace_rows, output_rows, information_rows;

}  // namespace warpz

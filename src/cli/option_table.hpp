// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table of options: parser, help and completion read it, and a test holds the README to it.
//
// The puzzles' flags come first, from the registry.
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

enum class value_kind { none, text, choice, file };

/// A set of actions.
constexpr unsigned set_of(action one) { return 1u << static_cast<unsigned>(one); }

constexpr std::string_view any_value = "*";

struct option_row {
  std::string_view name;  ///< without the dashes
  char letter = 0;        ///< of a short form
  value_kind kind = value_kind::none;
  std::string_view takes = {};    ///< stands for the value: "FILE"; of a choice all of them: "text|json"
  std::string_view implied = {};  ///< the value where none follows the option; empty: one has to
  std::string_view help = {};
  std::string_view without = {};  ///< what holds without the option, up to a comma; empty: nothing to say
  option_group group = option_group::information;
  std::optional<action> starts = {};  ///< the action asked for by this option
  unsigned used_by = 0;               ///< of an option that starts none: which of run and program it matters to
  bool is_written = false;            ///< its file is written by a run, and missed where there is none
  bool is_repeated = false;           ///< by a suggested command
  std::string_view cpu_value = {};    ///< the value that only the CPU machine heeds; any_value: any but the default
  std::string_view cpu_does = {};     ///< what only the CPU machine does: "checks"
  /// Puts the value (empty of a flag) into the options, or throws an error (bad_input). Null: nothing beside the
  /// action.
  void (*store)(options& command, const option_row& row, std::string_view value) = nullptr;
};

/// All options in the order of the help.
std::vector<option_row> option_table();

/// The choices in `takes`.
std::vector<std::string_view> choices(const option_row& row);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the rows of the option table store a value: each function puts it into a field of one group of the options.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "cli/option_table.hpp"
#include "cli/values.hpp"
#include "puzzle/patterns.hpp"

namespace warpz::setters {

inline constexpr std::uint64_t largest_seed = ~std::uint64_t{0};
inline constexpr std::uint64_t max_device_number = 1024;
inline constexpr std::uint64_t max_gpus = 16;
inline constexpr std::uint64_t max_schedules = 1'000'000;
inline constexpr std::uint64_t max_launches = 1000;
inline constexpr std::uint64_t max_findings_limit = 256;
inline constexpr std::uint64_t max_block_number = ~std::uint64_t{0} >> 1;
inline constexpr std::uint64_t max_warp_number = 31;
inline constexpr std::uint64_t max_launch_number = ~std::uint32_t{0};
inline constexpr std::uint64_t max_mebibytes = std::uint64_t{1} << 30;

template <auto Group, auto Field>
void set_flag(options& command, const option_row&, std::string_view) {
  command.*Group.*Field = true;
}

template <auto Group, auto Field>
void set_text(options& command, const option_row&, std::string_view value) {
  command.*Group.*Field = std::string(value);
}

/// Appends to the values of an option that takes several.
template <auto Group, auto Field>
void add_text(options& command, const option_row&, std::string_view value) {
  (command.*Group.*Field).emplace_back(value);
}

/// The type of a field's value, which may be absent.
template <class Field>
struct value_of {
  using type = Field;
};
template <class Value>
struct value_of<std::optional<Value>> {
  using type = Value;
};

/// From `Least` to `Most`.
template <auto Group, auto Field, std::uint64_t Least, std::uint64_t Most>
void set_whole_number(options& command, const option_row& row, std::string_view value) {
  auto& field = command.*Group.*Field;
  field = static_cast<typename value_of<std::remove_reference_t<decltype(field)>>::type>(
      whole_number(row, value, Least, Most));
}

/// The enumerators are in the order of the row's choices.
template <class Field>
void set_choice(Field& field, const option_row& row, std::string_view value) {
  field = static_cast<typename value_of<Field>::type>(choice_index(row, value));
}
template <auto Field>
void set_choice(options& command, const option_row& row, std::string_view value) {
  set_choice(command.*Field, row, value);
}
template <auto Group, auto Field>
void set_choice(options& command, const option_row& row, std::string_view value) {
  set_choice(command.*Group.*Field, row, value);
}

/// Behind the single ones come those that are compared with the CPU machine.
inline void set_backend(options& command, const option_row& row, std::string_view value) {
  constexpr backend_choice backends[] = {backend_choice::automatic, backend_choice::cpu, backend_choice::amd,
                                         backend_choice::nvidia,    backend_choice::amd, backend_choice::nvidia};
  constexpr std::size_t single = 4;
  const std::size_t choice = choice_index(row, value);
  command.device.backend = backends[choice];
  command.device.compared_with_cpu = choice >= single;
}

inline void set_gpus(options& command, const option_row& row, std::string_view value) {
  command.device.gpus = value == row.implied ? 0 : static_cast<std::uint32_t>(whole_number(row, value, 1, max_gpus));
}

inline void add_puzzle(options& command, const option_row& row, std::string_view) {
  command.puzzles.push_back(find_puzzle(row.name));
}

inline void set_pattern(options& command, const option_row& row, std::string_view value) {
  command.data.pattern = patterns()[choice_index(row, value)].name;
}

inline void set_pivot(options& command, const option_row& row, std::string_view value) {
  command.data.pivot = number(row, value);
}

inline void set_shape(options& command, const option_row& row, std::string_view value) {
  command.data.shape = shape(row, value);
}

inline void set_warp_size(options& command, const option_row& row, std::string_view value) {
  constexpr std::size_t both = 2;
  const std::size_t choice = choice_index(row, value);
  command.device.both_warp_sizes = choice == both;
  command.device.warp_size.reset();
  if (choice != both) command.device.warp_size = choice == 0 ? 32 : 64;
}

template <std::uint32_t warpz_settings::*Field>
void set_setting(options& command, const option_row& row, std::string_view value) {
  command.machine.settings.*Field = static_cast<std::uint32_t>(choice_index(row, value));
}

inline void set_architecture(options& command, const option_row& row, std::string_view value) {
  choice_index(row, value);
  command.program.architecture = value;
}

inline void set_rocm(options& command, const option_row& row, std::string_view value) {
  constexpr unsigned oldest = 5;
  command.program.rocm = oldest + static_cast<unsigned>(choice_index(row, value));
}

inline void set_check(options& command, const option_row& row, std::string_view value) {
  set_setting<&warpz_settings::check>(command, row, value);
  command.machine.check_given = true;
}

template <std::uint64_t process_limits::*Field>
void set_limit(options& command, const option_row& row, std::string_view value) {
  command.machine.limits.*Field = whole_number(row, value, 1, max_mebibytes) << 20;
}

inline void set_traced_lanes(options& command, const option_row& row, std::string_view value) {
  command.trace.lanes = lane_set(row, value);
}

inline void set_traced_steps(options& command, const option_row& row, std::string_view value) {
  command.trace.steps = steps(row, value);
}

inline constexpr double min_seconds = 0.001, max_seconds = 86400;

inline void set_timeout(options& command, const option_row& row, std::string_view value) {
  command.machine.settings.timeout_seconds = seconds(row, value, min_seconds, max_seconds);
  command.machine.timeout_given = true;
}

inline void set_time_limit(options& command, const option_row& row, std::string_view value) {
  command.machine.settings.time_limit_seconds = seconds(row, value, min_seconds, max_seconds);
  command.machine.time_limit_given = true;
}

}  // namespace warpz::setters

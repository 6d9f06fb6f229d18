// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which options cannot be given together, by the columns of the table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/option_table.hpp"

namespace warpz {

/// The option has the value that it would have anyway.
bool is_default(const given_option& one);

/// Refuses options that ask for two actions, or that the command's action has no use for.
void check_action(std::span<const given_option> given, const options& command);

/// Refuses options that contradict each other, and one that lacks another.
void check_combinations(std::span<const given_option> given, std::span<const option_row> table);

/// Refuses with a GPU what only the CPU machine does. Returns whether there is such an option.
bool check_machine(std::span<const given_option> given, const device_options& device);

/// The options that a suggested command repeats, as shell words, in the order of the table.
std::string repeated_options(std::span<const given_option> given, std::span<const option_row> table);

}  // namespace warpz

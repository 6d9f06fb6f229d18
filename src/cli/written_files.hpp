// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps warpz from overwriting a file of the user's by mistake.
#pragma once

#include <span>

#include "cli/option_table.hpp"

namespace warpz {

/// Throws error(bad_input) if one option has warpz write a file that another option has it read or write. Devices may
/// be named several times.
void check_written_files(std::span<const given_option> given, const options& command);

}  // namespace warpz

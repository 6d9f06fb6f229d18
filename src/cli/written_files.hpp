// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No file of the user's is written over by mistake.
#pragma once

#include <span>

#include "cli/option_table.hpp"

namespace warpz {

/// Throws error(bad_input) where a file that an option has warpz write is one that another option has it read, or
/// write. Devices may be named as often as one likes.
void check_written_files(std::span<const given_option> given, const options& command);

}  // namespace warpz

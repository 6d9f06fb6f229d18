// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The format of a trace and the name of its file, which have to fit.
#pragma once

#include "cli/options.hpp"

namespace warpz {

/// Where --trace names no format, takes what the file's extension says, else text. Throws error(bad_input) where nobody
/// could open the file by its name.
void choose_trace_format(trace_options& trace);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options that a suggested command repeats.
#pragma once

#include "cli/options.hpp"
#include "report/report.hpp"

namespace warpz {

/// `program` is how the user called warpz.
suggestion_style suggestion_style_of(const options& command, const char* program);

}  // namespace warpz

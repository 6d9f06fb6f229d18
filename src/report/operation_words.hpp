// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to do about an operation whose operands or place are wrong.
#pragma once

#include <string_view>

#include "abi/finding.h"

namespace warpz {

/// Advice, broken into lines, by what the finding says of the operation; empty: that of its kind.
std::string_view operation_fix(const warpz_finding& record);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace as text for a terminal, 80 columns wide where it can be.
#pragma once

#include <cstdint>
#include <string>

#include "trace/trace.hpp"

namespace warpz {

/// Each line ended. Only the lanes of `shown` have their values listed.
std::string trace_text(const trace& run, std::uint64_t shown);

}  // namespace warpz

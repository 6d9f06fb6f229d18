// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces as JSON, for others to draw: docs/trace.schema.json describes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace warpz {

/// Grows when a key changes its meaning or goes away, not when one is added.
inline constexpr int trace_format_version = 1;

/// One object, with a line for each step. Steps list the lanes of `shown`.
std::string trace_json(const std::vector<trace>& all, std::uint64_t shown);

}  // namespace warpz

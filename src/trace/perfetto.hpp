// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces in the trace-event format, which Perfetto and chrome://tracing open: a track for each warp, its steps one
// after the other, and how long it waits at barriers and for what other warps write.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace warpz {

/// The machine measures no time: each step takes one microsecond, and a warp waits as long as others take so many more.
std::string trace_perfetto(const std::vector<trace>& all);

}  // namespace warpz

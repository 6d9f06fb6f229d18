// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces as one page that needs nothing else: the pictures, the kernel's source, and a script (the folder page) that
// shows them step by step.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace warpz {

std::string trace_html(const std::vector<trace>& all, std::uint64_t shown);

}  // namespace warpz

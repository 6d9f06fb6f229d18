// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces as one page that needs nothing else: the pictures, the kernel's source, and a script (page.js) that shows them
// step by step. The script is plain: no library would draw less of it, as the drawing is done already.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace warpz {

std::string trace_html(const std::vector<trace>& all, std::uint64_t shown);

}  // namespace warpz

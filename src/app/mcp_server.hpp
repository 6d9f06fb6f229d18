// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Model Context Protocol on standard input and output: a message of JSON-RPC 2.0 in each line.
#pragma once

#include <string>

#include "report/output_stream.hpp"

namespace warpz {

/// Answers requests until standard input ends. `program` is warpz as it was called. Each call of a tool starts another
/// warpz; `ping` is answered meanwhile, a cancelled call ends at once, and other requests wait. Returns the exit code.
int serve_mcp(const std::string& program, output_stream& out);

}  // namespace warpz

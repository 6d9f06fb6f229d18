// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tools that `warpz mcp` offers to a coding agent: what each takes, the command line that does it, and what that
// tells, in words and as JSON. docs/mcp.md describes them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpz {

/// A call of a tool.
struct tool_request {
  std::string tool;
  std::vector<std::string> words;         ///< a command line of warpz, without its name
  double seconds = 0;                     ///< how long all of it may take
  std::optional<std::int64_t> line = {};  ///< of `costs`: this line alone
};

/// The tools with their parameters, as `tools/list` has them.
nlohmann::ordered_json tools_json();

/// Throws error(bad_input) where there is no such tool, or these are not its arguments.
tool_request tool_request_of(std::string_view tool, const nlohmann::ordered_json& arguments);

/// The result of `tools/call`, from what the command line has written to standard output and standard error.
nlohmann::ordered_json tool_result(const tool_request& request, std::string_view output, std::string_view messages);

/// The same of a call that could not be carried out.
nlohmann::ordered_json failed_tool_result(const std::string& reason);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the outcome of a whole program is told: what was found as text or as SARIF, or all of it as JSON.
#pragma once

#include <span>
#include <string>

#include "findings/outcome.hpp"
#include "report/sarif_log.hpp"

namespace warpz {

/// Lines for standard error, each ended; empty where there is nothing to say.
std::string program_text(const program_outcome& of, bool color);

/// One object in a line, as docs/output.schema.json describes; `exit_code` is warpz's.
std::string program_json(std::span<const program_outcome> all, int exit_code);

/// A result for each finding, with the user's files.
void add_to_sarif(sarif_log& to, const program_outcome& of);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all JSON of the program has in common.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "findings/outcome.hpp"

namespace warpz {

/// Grows when a key changes its meaning or goes away, not when one is added.
inline constexpr int json_format_version = 1;

/// In one line.
std::string json_text(const nlohmann::ordered_json& value);

nlohmann::ordered_json finding_json(const symbolized_finding& of);

}  // namespace warpz

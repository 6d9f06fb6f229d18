// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --list, --devices and texts as JSON: one object each, described in docs/output.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/backend.hpp"

namespace warpz {

std::string list_json();
std::string devices_json(const std::vector<listed_device>& listed);

/// A text for people or for a shell, in JSON.
std::string text_json(std::string_view text);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --list and --devices as JSON: one object each, described in docs/output.md.
#pragma once

#include <string>
#include <vector>

#include "run/backend.hpp"

namespace warpz {

std::string list_json();
std::string devices_json(const std::vector<listed_device>& listed);

}  // namespace warpz

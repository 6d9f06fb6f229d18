// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string_view>

#include "findings/outcome.hpp"

namespace warpz {

/// A loop around both the wait of a lane and what gives others what they wait for, as a lock that is given back, so
/// that a lane gives it before the loop ends for its warp. Nothing where what stands between the two cannot be
/// repeated, or where one of two branches waits for the other one.
std::optional<source_repair> warp_wait_repair(const symbolized_finding& finding, std::string_view text);

}  // namespace warpz

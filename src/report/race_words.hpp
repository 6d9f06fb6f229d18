// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data races in words: what the lanes have in common and do there decides how to fix a race.
#pragma once

#include <string>
#include <string_view>

#include "findings/outcome.hpp"

namespace warpz {

/// The rule that was broken, as a sentence.
std::string race_rule(const warpz_finding& record);

/// How to fix it.
std::string race_fix(const symbolized_finding& finding);

/// What other lanes at the same places have in common, where that is less than what the two lanes shown have in common;
/// else empty.
std::string_view wider_relation_text(const warpz_finding& record);

}  // namespace warpz

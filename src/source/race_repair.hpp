// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a barrier or a fence has to stand so that the accesses of a data race are ordered, by the text of the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "findings/outcome.hpp"

namespace warpz {

/// The repair that orders all accesses of the race, if one is known. `relation`: between the lanes of all races of this
/// memory. Where no loop goes around the accesses, none of them is in its next round.
std::optional<source_repair> repair_of_race(symbolized_finding& race, std::string_view text, std::uint32_t relation,
                                            unsigned warp_size);

}  // namespace warpz

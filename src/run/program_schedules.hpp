// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole program in other orders of its lanes, warps and blocks: how it ends and what it prints may depend on the
// order, and some things are only found in another one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "run/located_finding.hpp"
#include "run/outcome.hpp"
#include "run/program_way.hpp"

namespace warpz {

/// Runs the program once more, in the order of this seed, or in ascending order for 0.
using program_again = std::function<program_result(std::uint64_t schedule)>;

/// Runs the program, which has run in ascending order, once for each seed. Adds to `found` what was not found before.
/// The result is a schedule dependence, if there is one: where a run differs, it is repeated, and so is the one in
/// ascending order, so that what is never the same does not count.
std::optional<resolved_finding> try_program_schedules(const program_again& again, program_way& ascending,
                                                      std::span<const std::uint64_t> seeds,
                                                      std::vector<located_finding>& found);

}  // namespace warpz

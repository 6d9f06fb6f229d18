// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole program in other orders of its lanes, warps and blocks: how it ends and what it prints may depend on the
// order, and some things are only found in another one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "findings/located_finding.hpp"
#include "findings/outcome.hpp"
#include "run/experiments/program_runs.hpp"

namespace warpz {

/// Runs the program once more, in the order of this seed, or in ascending order for 0.
using program_again = std::function<program_result(std::uint64_t schedule)>;

/// Runs the program, which has run in ascending order, once for each seed. Adds to `found` what was not found before.
/// The result is a schedule dependence, if there is one: where a run differs, it is repeated, and so is the one in
/// ascending order, so that what is never the same does not count.
std::optional<symbolized_finding> explore_program_schedules(const program_again& again, program_runs& ascending,
                                                            std::span<const std::uint64_t> seeds,
                                                            std::vector<located_finding>& found);

}  // namespace warpz

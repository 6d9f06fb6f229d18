// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole program whose lanes use what they got from a lane that takes no part: undefined_search.hpp.
#pragma once

#include <functional>
#include <vector>

#include "findings/located_finding.hpp"
#include "run/experiments/program_runs.hpp"

namespace warpz {

/// Runs the program once more, varied so; its kernels have so many seconds, 0: as many as they like.
using perturbed_program_run =
    std::function<program_result(const warpz_perturbation& perturbation, double timeout_seconds)>;

/// What is found in the program that has just run with every access watched and told of itself `first`, one finding for
/// each place in the source. Where no lane has read from one that takes no part, it is not run again.
std::vector<located_finding> find_undefined_values(const perturbed_program_run& again, const warpz_trace& first,
                                                   double timeout_seconds);

}  // namespace warpz

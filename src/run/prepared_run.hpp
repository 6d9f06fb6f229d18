// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run before it begins: its numbers, what is expected of it, and its launch.
#pragma once

#include "findings/outcome.hpp"
#include "process/kernel_process.hpp"
#include "run/backend.hpp"
#include "run/run_request.hpp"

namespace warpz {

struct prepared_run {
  puzzle_outcome outcome;  ///< as far as it is known by now: what the kernel is run on, and what is expected
  kernel_run launch;
};

/// The kernel's arguments: its output, its inputs, and its state if it has one.
inline constexpr std::size_t output_buffer = 0;
inline constexpr std::size_t first_input_buffer = 1;
inline std::size_t state_buffer(const plan& launched) { return first_input_buffer + launched.inputs.size(); }

/// Lays out the puzzle's numbers for this device and computes what is expected. Throws error(bad_input) where the
/// request does not fit the puzzle, or memory is short.
prepared_run prepare(const puzzle& task, const run_request& request, const chosen_device& on);

/// What the puzzle's reference takes beside the input.
parameters parameters_of(const puzzle_outcome& result);

}  // namespace warpz

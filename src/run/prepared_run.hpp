// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run before it begins: from what is asked for to its numbers, what is expected of it, and its launch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "findings/finding_filter.hpp"
#include "findings/outcome.hpp"
#include "pieces/pieces.hpp"
#include "process/kernel_process.hpp"
#include "puzzle/puzzle.hpp"
#include "run/backend.hpp"
#include "run/lane_trace.hpp"

namespace warpz {

/// What a puzzle is run on, which kernel, and how.
struct run_request {
  std::optional<std::size_t> size;  ///< elements; nothing: the documented size, or that of the numbers given
  input_source input;
  std::uint64_t seed = 0;  ///< for random input
  shared_numbers given;    ///< input read from a file
  std::optional<float> pivot;
  std::optional<matrix_shape> shape;
  variant which = variant::warp;
  std::uint32_t launches = 1;  ///< of which the last one is judged
  std::uint32_t gpus = 1;      ///< from the device on; 0: all that there are
  kernel_name kernel;          ///< runs instead of the puzzle's own of that variant; empty: that one
  unsigned launch_bound = 0;   ///< the most threads of a block that the kernel declares; 0: it declares nothing
  warpz_settings settings = warpz_default_settings;
  std::optional<trace_request> trace;    ///< on the CPU machine, with every access checked
  bool counts_costs = false;             ///< likewise
  std::vector<std::uint64_t> schedules;  ///< seeds of the orders, and of the larger blocks, to run it in as well
  piece_runner* runner = nullptr;        ///< who divides them; null: nobody
  finding_choice findings;
  process_limits limits;
  bool seeks_undefined = true;     ///< where lanes get undefined values, find out by further runs whether these count
  bool is_silent = false;          ///< what the kernel prints is dropped
  std::function<void()> on_rerun;  ///< called before each run but the first
  /// Called from time to time while the kernel runs, with the line that it executes; 0: unknown.
  std::function<void(double seconds, unsigned line)> on_wait = {};
};

struct prepared_run {
  puzzle_outcome outcome;  ///< as far as it is known by now: what the kernel is run on, and what is expected
  kernel_run launch;
};

/// The kernel's arguments: its output, its inputs, and its state if it has one.
inline constexpr std::size_t output_buffer = 0;
inline constexpr std::size_t first_input_buffer = 1;
inline std::size_t state_buffer(const plan& launched) { return first_input_buffer + launched.inputs.size(); }

/// Puts the puzzle's numbers into the buffers of the device's process, and computes what is expected. Throws
/// error(bad_input) where the request does not fit the puzzle or memory is short.
prepared_run prepare(const puzzle& task, const run_request& request, const chosen_device& on);

/// What the puzzle's reference takes beside the input.
parameters parameters_of(const puzzle_outcome& result);

}  // namespace warpz

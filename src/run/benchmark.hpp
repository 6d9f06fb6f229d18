// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures a puzzle's kernels, each variant of each, and a copy beside them. Every kernel is judged before it is
// measured: how fast a wrong one is says nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/puzzle.hpp"
#include "run/runner.hpp"

namespace warpz {

/// One kernel's times.
struct measurement {
  std::string_view puzzle;  ///< its flag; of the copy: "copy"
  std::string_view kind;    ///< warp, shared or tuned; of the copy: "copy"
  std::string kernel;
  verdict result = verdict::passed;  ///< without times, if not passed
  std::size_t size = 0;              ///< elements
  std::uint64_t bytes = 0;           ///< of all inputs and the output, each once
  std::uint32_t runs = 0;
  double median = 0, least = 0, greatest = 0;  ///< milliseconds

  /// Gigabytes (10^9) a second; 0 without times.
  double rate() const { return median == 0 ? 0 : static_cast<double>(bytes) / median / 1e6; }
};

/// What was measured on one device, in one go.
struct benchmark {
  std::string backend, device;
  unsigned warp_size = 0;
  measurement copy;                   ///< of as many elements as the puzzles are run on
  std::vector<measurement> measured;  ///< in the order of the puzzles, and of --variant's choices
};

/// Elements to measure on, without --size: more than a GPU's cache holds. On the CPU machine as many as take it some
/// milliseconds.
std::size_t benchmark_size(const puzzle& task, bool on_cpu_machine);

/// `request` says which data; its size, if it has none, is benchmark_size's.
benchmark measure_all(runner& on, std::span<const puzzle* const> tasks, const run_request& request,
                      bool on_cpu_machine);

}  // namespace warpz

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures a puzzle's kernels, each variant of each, and a copy beside them. Every kernel is judged before it is
// measured: how fast a wrong one is says nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "puzzle/puzzle.hpp"
#include "run/backend.hpp"
#include "run/prepared_run.hpp"

namespace warpz {

/// One kernel's times.
struct measurement {
  std::string_view puzzle;  ///< its flag; of the copy: "copy"
  std::string_view kind;    ///< warp, shared, tuned or, of the vendor, library; of the copy: "copy"
  std::string kernel;
  verdict result = verdict::passed;  ///< without times, if not passed
  std::size_t size = 0;              ///< elements
  std::uint64_t bytes = 0;           ///< of all inputs and the output, each once
  double operations = 0;             ///< that the task asks for
  std::uint32_t runs = 0;
  double median = 0, least = 0, greatest = 0;  ///< milliseconds

  /// Billions (10^9) of operations a second; 0 without times.
  double operation_rate() const { return median == 0 ? 0 : operations / median / 1e6; }
  /// Gigabytes (10^9) a second; 0 without times.
  double rate() const { return median == 0 ? 0 : static_cast<double>(bytes) / median / 1e6; }
};

/// What was measured on one device, in one go.
struct benchmark {
  std::string backend, device;
  unsigned warp_size = 0;
  measurement copy;                       ///< of as many elements as the puzzles are run on
  std::optional<measurement> arithmetic;  ///< of a kernel that does hardly anything else: for a roofline
  std::vector<measurement> measured;      ///< in the order of the puzzles, and of --variant's choices
};

/// Elements to measure on, without --size: more than a GPU's cache holds. On the CPU machine as many as take it some
/// milliseconds.
std::size_t benchmark_size(const puzzle& task, bool on_cpu_machine);

/// Adds to `all` the copy and each kernel of the puzzles, and calls on_measured with each. `request` says which data;
/// its size, if it has none, is benchmark_size's.
void measure_all(benchmark& all, const chosen_device& on, std::span<const puzzle* const> tasks,
                 const run_request& request, const std::function<void(const measurement&)>& on_measured);

/// Adds the fastest arithmetic.
void measure_arithmetic(benchmark& all, const chosen_device& on, const run_request& request);

}  // namespace warpz

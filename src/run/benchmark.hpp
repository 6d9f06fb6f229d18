// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the kernels of puzzles in all variants, and a copy to compare them with. Each kernel is judged before it is
// measured: the speed of a wrong one means nothing.
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
  std::string_view puzzle;  ///< its flag, or "copy"
  std::string_view kind;    ///< warp, shared, tuned, library (the vendor's), or copy
  std::string kernel;
  verdict result = verdict::passed;  ///< if not passed, there are no times
  std::size_t size = 0;              ///< elements
  std::uint64_t bytes = 0;           ///< all inputs and the output, each once
  double operations = 0;             ///< that the task asks for
  std::uint32_t runs = 0;
  double median = 0, least = 0, greatest = 0;  ///< milliseconds

  /// Billions (10^9) of operations a second; 0 without times.
  double operation_rate() const { return median == 0 ? 0 : operations / median / 1e6; }
  /// Gigabytes (10^9) a second; 0 without times.
  double rate() const { return median == 0 ? 0 : static_cast<double>(bytes) / median / 1e6; }
};

/// What was measured on one device in one run of warpz.
struct benchmark {
  std::string backend, device;
  unsigned warp_size = 0;
  measurement copy;                       ///< copies as many elements as the puzzles are run on
  std::optional<measurement> arithmetic;  ///< a kernel that does hardly anything else: for a roofline
  std::vector<measurement> measured;      ///< in the order of the puzzles, and of --variant's choices
};

/// The number of elements without --size: more than a GPU's cache holds; on the CPU machine, as many as take some
/// milliseconds.
std::size_t benchmark_size(const puzzle& task, bool on_cpu_machine);

/// Adds to `all` the copy and each kernel of the puzzles, and calls on_measured with each. `request` says which data,
/// and perhaps how many; else benchmark_size() does.
void measure_all(benchmark& all, const chosen_device& on, std::span<const puzzle* const> tasks,
                 const run_request& request, const std::function<void(const measurement&)>& on_measured);

/// Adds the arithmetic to `all`.
void measure_arithmetic(benchmark& all, const chosen_device& on, const run_request& request);

}  // namespace warpz

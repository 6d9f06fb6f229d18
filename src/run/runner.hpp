// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs one puzzle on one device: lays out the data, runs the kernel, judges the output and the findings.
//
// Knows puzzles and kernel processes, and nothing of options, formats or the user's view of exit codes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "findings/finding_filter.hpp"
#include "findings/located_finding.hpp"
#include "findings/outcome.hpp"
#include "process/kernel_process.hpp"
#include "puzzle/large_array.hpp"
#include "puzzle/puzzle.hpp"
#include "run/backend.hpp"
#include "run/lane_trace.hpp"

namespace warpz {

/// The data to run on, the kernel, and how it is run.
struct run_request {
  std::optional<std::size_t> size;  ///< elements; nothing: the documented size, or that of the given data
  input_source input;
  std::uint64_t seed = 0;                           ///< of random input
  std::shared_ptr<const std::vector<float>> given;  ///< input read from a file
  std::optional<float> pivot;
  std::optional<matrix_shape> shape;
  variant which = variant::warp;
  kernel_name kernel;         ///< runs instead of the puzzle's own of that variant; empty: that one
  std::uint32_t gpus = 1;     ///< from the device on; 0: all that there are
  unsigned launch_bound = 0;  ///< the most threads of a block that the kernel declares; 0: it declares nothing
  warpz_settings settings = warpz_default_settings;
  std::optional<trace_request> trace;    ///< of a run on the CPU machine, with every access checked
  bool counts_costs = false;             ///< the same
  std::vector<std::uint64_t> schedules;  ///< seeds of the orders, and of the larger blocks, to run it in as well
  finding_choice findings;
  process_limits limits;
  bool seeks_undefined = true;     ///< where lanes get undefined values, find out by further runs whether these count
  bool is_silent = false;          ///< what the kernel prints is dropped
  std::function<void()> on_rerun;  ///< called before each run but the first
};

class runner {
 public:
  /// Keeps a reference to the device.
  explicit runner(chosen_device& chosen)
      : kernel_process_(*chosen.kernels), number_(chosen.number), device_(chosen.device) {}

  /// The outcome's spans stay valid until the next run. Throws if the device fails or memory is short. The given
  /// numbers are released once they are copied, so the last run can be handed the caller's own share of them.
  ///
  /// A result that is only near, where sums round, is judged by a second run, on as many numbers whose sums are exact:
  /// where that fails, the outcome is its.
  puzzle_outcome run(const puzzle& task, run_request request);

  /// Runs it once to judge it, and again for about so many seconds to measure it: the outcome's repeats, if it is
  /// right. Where it takes longer the first time, that is the measurement.
  puzzle_outcome measure(const puzzle& task, run_request request, double seconds);

  /// Whether the device's module has a kernel of this identity.
  bool has_kernel(const std::string& identity) { return kernel_process_.has_kernel(identity); }

  /// What the lanes did in the last run, if the request asked for it.
  std::optional<trace> take_trace() { return std::move(trace_); }

 private:
  puzzle_outcome run_once(const puzzle& task, run_request request);
  puzzle_outcome with_exact_sums(puzzle_outcome rounded, const puzzle& task, run_request request);
  puzzle_outcome describe(const puzzle& task, const run_request& request) const;
  std::span<const float> lay_out_data(const puzzle_outcome& result, run_request& request);
  std::uint32_t gpus_of(const puzzle& task, const run_request& request);
  kernel_run launch_of(const puzzle_outcome& result, const run_request& request);
  std::vector<located_finding> search(const puzzle_outcome& result, const run_request& request,
                                      const kernel_run& launch, const kernel_result& ran, std::span<const float> input);
  bool add_findings(puzzle_outcome& result, std::span<const located_finding> found, const run_request& request,
                    const kernel_result& ran) const;
  kernel_result run_first(puzzle_outcome& result, const run_request& request, const kernel_run& launch);
  kernel_result run_traced(const puzzle_outcome& result, const run_request& request, const kernel_run& launch);
  /// The file that the module was just compiled from, if it was.
  std::vector<std::string> sources() const;
  void judge_output(puzzle_outcome& result, const kernel_result& ran, std::span<const float> input);

  kernel_process& kernel_process_;
  const std::uint32_t number_;
  const warpz_device& device_;
  std::optional<trace> trace_;
  large_array expected_;
  large_array input_;  ///< all inputs, one behind the other; no kernel's process can write here
  large_array rounded_output_, rounded_expected_, rounded_input_;  ///< of the run before the last one
};

}  // namespace warpz

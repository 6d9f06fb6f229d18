// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the lanes of a run for --trace.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "findings/outcome.hpp"
#include "process/kernel_process.hpp"
#include "puzzle/plan.hpp"
#include "run/experiments/replay.hpp"
#include "system/shared_memory.hpp"
#include "trace/read_record.hpp"
#include "trace/trace.hpp"

namespace warpz {

struct trace_request {
  std::uint64_t block = 0;            ///< its number in the grid, x first
  std::optional<std::uint32_t> warp;  ///< its number in the block; nothing: all warps
  std::string kernel = {};            ///< for a program: the kernel whose first launch is traced; empty: any
  std::uint32_t launch = 0;           ///< for a program: the launch, from 1; 0: the first that has the block
  std::uint64_t schedule = 0;         ///< the seed of the order of lanes, warps and blocks; 0: ascending
};

/// Throws error(bad_input) where the launch has no such block or warp.
void check_trace_request(const trace_request& wanted, const plan& launched, unsigned warp_size);

/// What the addresses of a recorded run mean.
struct trace_names {
  code_location code;
  kernel_arguments arguments;
};

/// The memory in which lanes are recorded, run after run. The first launch is recorded that has the block and the
/// wanted kernel, whose name is in the record for the kernel's process.
class lane_recording {
 public:
  /// Throws error(bad_input) where there is no memory.
  explicit lane_recording(const trace_request& wanted);

  /// The settings of a run that is to be recorded.
  warpz_lane_recording settings() const;

  using naming = std::function<trace_names(const run_record&)>;

  /// The trace of the first run. Where another order is asked for, the code is run again in that order. Where undefined
  /// values occur, it is run again with other values, so that the trace shows what depends on them.
  trace read(const run_record& first, replay& code, const naming& names_of);
  trace read(const trace_names& names) const { return read_record(*record_, names.code, names.arguments); }

 private:
  void clear();

  trace_request wanted_;
  os::shared_memory<warpz_lane_record> record_;
};

/// Runs the kernel in a new process, which shares the memory for records that exists now. Later runs get another
/// process, as the kernel may have kept the memory's address.
kernel_result run_in_new_process(kernel_process& process, const kernel_run& launch);

/// Adds the findings to the trace.
void add_findings(trace& run, const outcome& judged);

/// Marks the wrong elements in the trace.
void add_wrong_elements(trace& run, const puzzle_outcome& judged);

/// Adds the text of the source files that steps name, as far as they can be read.
void add_sources(trace& run);

}  // namespace warpz

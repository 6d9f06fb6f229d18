// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where --trace writes what the lanes did, and in which format.
#pragma once

#include <optional>
#include <vector>

#include "cli/options.hpp"
#include "report/output_file.hpp"
#include "report/output_stream.hpp"
#include "run/lane_trace.hpp"

namespace warpz {

/// What the options ask to trace; nothing without --trace.
std::optional<trace_request> trace_request_of(const options& command);

class trace_output {
 public:
  /// Keeps references. Throws error(bad_input) where the file could not be written.
  trace_output(const options& command, output_stream& out);

  /// To be called after each run, before its outcome is reported.
  void add(std::optional<trace> one);

  /// To be called after all runs.
  void finish();

 private:
  const options& command_;
  output_stream& out_;
  std::optional<output_file> file_;
  std::vector<trace> all_;
};

/// Whether a trace for a program goes to standard output, so that the results have to go elsewhere.
bool trace_takes_standard_output(const options& command);

}  // namespace warpz

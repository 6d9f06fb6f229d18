// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options as settings of the compiler and of runs, be it of puzzles or of users' programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "compile/compiler_runner.hpp"
#include "findings/finding_filter.hpp"
#include "report/output_file.hpp"
#include "report/output_stream.hpp"

namespace warpz {

/// The seeds of the orders to try.
std::vector<std::uint64_t> schedules_of(const options& command);

/// The choices about findings, with the files of --suppress and --baseline.
class accepted_findings {
 public:
  explicit accepted_findings(const options& command);

  /// Refers to this object.
  finding_choice choice() {
    return {command_.findings.limit, command_.findings.suppress || command_.findings.baseline ? &accepted_ : nullptr};
  }

  /// To be called after all runs: writes a new baseline; reports the lines of --suppress that match no finding, and how
  /// many lines of the baseline do not.
  void finish(output_stream& err);

 private:
  const options& command_;
  suppressions accepted_;
  std::optional<output_file> new_baseline_;
};

/// How compilers are run. Their messages go to `err`; keeps a reference.
compiler_settings compiler_settings_of(const options& command, output_stream& err);

/// The folder of compiled kernels; empty where none are kept. A folder that others could write to is not used, which is
/// reported to `err`.
std::string cache_folder_of(const options& command, output_stream& err);

}  // namespace warpz

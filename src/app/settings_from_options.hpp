// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the options mean to the compiler and the runners, of puzzles as well as of users' programs.
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

/// The choices about findings, and the files of the accepted ones.
class accepted_findings {
 public:
  explicit accepted_findings(const options& command);

  /// Valid as long as this.
  finding_choice choice() {
    return {command_.findings.limit, command_.findings.suppress || command_.findings.baseline ? &accepted_ : nullptr};
  }

  /// After all runs: writes a new baseline, and reports the lines of --suppress, and how many of the baseline, that
  /// match no finding.
  void finish(output_stream& err);

 private:
  const options& command_;
  suppressions accepted_;
  std::optional<output_file> new_baseline_;
};

/// How compilers are run. Their messages go to `err`, which has to outlive the result.
compiler_settings compiler_settings_of(const options& command, output_stream& err);

/// The folder of compiled kernels; empty where none are kept. One that others could write to is refused, with a word to
/// `err`.
std::string cache_folder_of(const options& command, output_stream& err);

}  // namespace warpz

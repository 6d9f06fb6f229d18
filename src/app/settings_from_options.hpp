// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the options mean to those who compile and run: the same for puzzles and for whole programs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "compile/compiler_runner.hpp"
#include "findings/finding_filter.hpp"
#include "report/output_stream.hpp"

namespace warpz {

/// The seeds of the orders to try.
std::vector<std::uint64_t> schedules_of(const options& asked);

/// What is said about findings, and the file of those that are accepted.
class accepted_findings {
 public:
  explicit accepted_findings(const options& asked);

  /// Valid as long as this.
  finding_choice choice() { return {asked_.findings_limit, asked_.suppress ? &accepted_ : nullptr}; }

  /// Tells of lines that fit nothing.
  void tell_unused(output_stream& err) const;

 private:
  const options& asked_;
  suppressions accepted_;
};

/// How compilers are run; what they say goes to `err`, which outlives this.
compiler_settings compiler_settings_of(const options& asked, output_stream& err);

/// Empty where nothing compiled is to be kept.
std::string cache_folder_of(const options& asked);

}  // namespace warpz

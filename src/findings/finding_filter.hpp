// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which of a run's findings are reported, and whether they fail it: for a puzzle's kernel and a user's program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "findings/outcome.hpp"
#include "findings/suppressions.hpp"

namespace warpz {

/// The user's choices about findings.
struct finding_choice {
  std::size_t max_reported = 15;
  suppressions* accepted = nullptr;  ///< findings that do not fail the run; null: none
};

class finding_filter {
 public:
  explicit finding_filter(const finding_choice& choice) : choice_(choice) {}

  /// What is known about a finding beside its record.
  struct circumstance {
    bool ended_run = false;  ///< is reported whatever the limit is, and cannot be suppressed
    bool on_purpose = false;
    std::uint64_t schedule = 0;
    unsigned block_threads = 0;
  };

  /// Adds a finding. Calls `symbolize` only if the finding is reported or may be suppressed.
  void add(const warpz_finding& record, const circumstance& where,
           const std::function<symbolized_finding()>& symbolize);

  /// Adds a finding that the machine itself has not made. It is always reported.
  void add(symbolized_finding finding);

  /// Counts findings of which only the number is known.
  void leave_out(std::uint32_t more);

  std::vector<symbolized_finding> all;
  std::uint32_t left_out = 0;
  bool fail = false;  ///< also because of findings beyond the limit

 private:
  finding_choice choice_;
  std::size_t reported_ = 0;
};

}  // namespace warpz

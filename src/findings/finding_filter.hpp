// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which of a run's findings are reported, in which order, and whether they fail it: for a puzzle's kernel and a
// user's program. Findings of one cause become one, and errors come before warnings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "findings/outcome.hpp"
#include "findings/suppressions.hpp"

namespace warpz {

/// The user's choices about findings.
struct finding_choice {
  std::size_t max_reported = 15;
  suppressions* accepted = nullptr;  ///< findings that do not fail the run; null: none
};

/// Adds a finding of a run in another order, unless it is known already or there are too many.
void add_unless_known(std::vector<symbolized_finding>& found, const symbolized_finding& one);

/// Adds a finding to those of an outcome: an error before the warnings.
void add_in_order(std::vector<symbolized_finding>& findings, symbolized_finding finding);

/// Findings that have one cause, and so are reported as one: nine bytes that one line reads and nobody has written, or
/// all pairs of lines that race over an array because one barrier is missing.
class finding_group {
 public:
  /// The first one is reported in full.
  explicit finding_group(symbolized_finding first);

  /// Adds the finding if it has the same cause.
  bool merge(const symbolized_finding& other);

  const symbolized_finding& first() const { return first_; }

  /// The first one, with what the others add.
  symbolized_finding take();

 private:
  using line = std::pair<std::string, unsigned>;  ///< a file and a line in it
  static std::set<line> lines_of(const symbolized_finding& finding);
  bool has_cause_of(const symbolized_finding& other, const std::set<line>& lines) const;

  void add_pair(const symbolized_finding& race);

  symbolized_finding first_;
  std::vector<std::pair<source_line, source_line>> pairs_;
  std::set<line> lines_;                   ///< those of all findings
  std::vector<std::set<line>> line_sets_;  ///< those of each finding, without repetitions
};

class finding_filter {
 public:
  explicit finding_filter(const finding_choice& choice) : choice_(choice) {}

  /// What is known about a finding beside its record.
  struct circumstance {
    bool ended_run = false;  ///< is reported whatever the limit is, and cannot be suppressed
    bool on_purpose = false;
  };

  void add(symbolized_finding finding, const circumstance& origin);

  /// Adds a finding that comes from comparing runs, not from the machine. It is always reported.
  void add(symbolized_finding finding);

  /// Counts findings of which only the number is known.
  void leave_out(std::uint32_t more);

  /// In the order in which they are to be reported. Nothing may be added afterwards.
  std::vector<symbolized_finding> take();

  std::uint32_t left_out = 0;
  bool fail = false;  ///< also because of findings beyond the limit

 private:
  bool merge(const symbolized_finding& finding);

  finding_choice choice_;
  std::vector<finding_group> all_;
  std::size_t reported_ = 0;
};

}  // namespace warpz

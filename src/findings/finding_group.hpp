// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that have one cause, and so are told as one: nine bytes of one line that nobody has written, or all pairs of
// lines that race over an array for want of one barrier.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "findings/outcome.hpp"

namespace warpz {

class finding_group {
 public:
  /// The first one, which is told in full.
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

  symbolized_finding first_;
  std::set<line> lines_;                   ///< of all of them
  std::vector<std::set<line>> line_sets_;  ///< of each, without repetitions
};

}  // namespace warpz

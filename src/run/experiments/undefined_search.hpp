// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that use what is undefined: what they got from a lane that takes no part, or a variable that was never set.
// Found by running the code again with other values in its place. What is read and then dropped changes nothing, and so
// is no finding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi/module.h"
#include "findings/located_finding.hpp"

namespace warpz {

/// What the search runs: a kernel on the same data, or a whole program.
class perturbed_run {
 public:
  struct end {
    warpz_trace trace;
    std::uint64_t module_base;
    bool stopped;    ///< by a finding
    bool got_stuck;  ///< by its time, or its steps
  };

  virtual end run(const warpz_perturbation& perturbation, double timeout_seconds) = 0;

  /// The last run is what others are compared with from now on.
  virtual void compare_with_last() = 0;

  /// Whether the last run came to the same.
  virtual bool is_same() = 0;

  /// Adds to the finding in what the last run differs.
  virtual void tell_difference(located_finding& in) = 0;

 protected:
  ~perturbed_run() = default;
};

/// Whether it is worth to run code again that came to these findings: what has no end, or is over a limit, might take
/// all its time and room again and again.
bool may_be_searched(bool stopped, std::span<const warpz_finding> findings);

/// One finding for each place in the source. `first` is what a run as it is has told of itself, and has had so many
/// seconds at most; 0: as many as it liked.
std::vector<located_finding> search_undefined_values(perturbed_run& again, const warpz_trace& first,
                                                     double timeout_seconds);

}  // namespace warpz
